import { domainOf, type Idea, ideaInWords, storedIdea, UNNAMED } from '../../content/idea.ts'

const parts = (name: string) => document.querySelectorAll<HTMLElement>(`[data-preview=${name}]`)
const nameField = () => document.querySelector<HTMLInputElement>('[name=previewName]')
const checked = (group: string) => document.querySelector<HTMLInputElement>(`[name=${group}]:checked`)?.value ?? ''

const chosenIdea = (): Idea => ({
  name: nameField()?.value.trim() ?? '',
  trade: checked('previewTrade') as Idea['trade'],
  palette: checked('previewPalette'),
})

type TextControl = HTMLInputElement | HTMLTextAreaElement

/**
 * Fills a field in, where it is empty or holds what the choice before put there: what a visitor types there themselves is
 * left alone. Past React's own setter, so that a form that is alive takes it for typing.
 */
const type = (control: TextControl, text: string, before: string) => {
  if (control.value !== '' && control.value !== before) return
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

const fields = (name: string) => document.querySelectorAll<TextControl>(`main form [name=${name}]`)

const show = (idea: Idea, before: Idea) => {
  for (const place of parts('name')) place.textContent = idea.name || UNNAMED
  for (const place of parts('domain')) place.textContent = domainOf(idea.name)
  for (const field of fields('company')) type(field, idea.name, before.name)
  for (const field of fields('message')) type(field, ideaInWords(idea), ideaInWords(before))
}

/** Brings the preview back as it was left in this tab. */
const restore = ({ name, trade, palette }: Idea) => {
  const field = nameField()
  // who is at the field types already
  if (field && field !== document.activeElement) field.value = name
  for (const value of [trade, palette]) {
    const choice = [...document.querySelectorAll<HTMLInputElement>('[data-preview=all] [type=radio]')].find(
      (radio) => radio.value === value,
    )
    if (choice) choice.checked = true
  }
}

/** The previews that follow their controls. */
const following = new WeakSet<Element>()

/**
 * Has the preview follow its controls, and takes the choice over into the forms of the page. Where the page was not
 * touched, the choice that this tab knows counts: what a browser brings back with a page may be older.
 */
export const start = (isTouched: boolean) => {
  const follow = () => {
    const idea = chosenIdea()
    const before = storedIdea.read() ?? idea
    storedIdea.keep(idea)
    show(idea, before)
  }
  for (const preview of parts('all')) {
    if (!following.has(preview)) preview.addEventListener('input', follow)
    following.add(preview)
  }
  const kept = storedIdea.read()
  if (isTouched) follow()
  else if (kept) {
    const before = chosenIdea()
    restore(kept)
    show(kept, before)
  }
}
