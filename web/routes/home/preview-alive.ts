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
 * Fills in a field that is empty or has the text of the previous choice; text that the visitor typed there stays. It
 * uses the native setter, so that React treats it as typing.
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

/** Restores the preview as it was left in this tab. */
const restore = ({ name, trade, palette }: Idea) => {
  const field = nameField()
  // a visitor in the field is already typing
  if (field && field !== document.activeElement) field.value = name
  for (const value of [trade, palette]) {
    const choice = [...document.querySelectorAll<HTMLInputElement>('[data-preview=all] [type=radio]')].find(
      (radio) => radio.value === value,
    )
    if (choice) choice.checked = true
  }
}

const following = new WeakSet<Element>()

/**
 * Makes the preview follow its controls, and copies the choice into the forms of the page. If the page was not touched,
 * the choice stored in this tab counts: the one that a browser restores with a page may be older.
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
  const found = storedIdea.read()
  if (isTouched) follow()
  else if (found) {
    const before = chosenIdea()
    restore(found)
    show(found, before)
  }
}
