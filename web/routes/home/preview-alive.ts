import { domainOf, type Idea, ideaInWords, keptIdea, UNNAMED } from '../../content/idea.ts'
import { IDEA_STORAGE_KEY } from '../../content/idea-kept.ts'

const parts = (name: string) => document.querySelectorAll<HTMLElement>(`[data-preview=${name}]`)
const nameField = () => document.querySelector<HTMLInputElement>('[name=previewName]')
const checked = (group: string) => document.querySelector<HTMLInputElement>(`[name=${group}]:checked`)?.value ?? ''

const chosenIdea = (): Idea => ({
  name: nameField()?.value.trim() ?? '',
  trade: checked('previewTrade') as Idea['trade'],
  palette: checked('previewPalette'),
})

/** What this page has filled into a field; what a visitor types there themselves is left alone. */
const filled = new WeakMap<Element, string>()

type TextControl = HTMLInputElement | HTMLTextAreaElement

// Past React's own setter, so that a form that is alive takes it for typing.
const type = (control: TextControl, text: string) => {
  if (control.value !== '' && control.value !== filled.get(control)) return
  filled.set(control, text)
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

const fields = (name: string) => document.querySelectorAll<TextControl>(`main form [name=${name}]`)

const show = (idea: Idea) => {
  for (const place of parts('name')) place.textContent = idea.name || UNNAMED
  for (const place of parts('domain')) place.textContent = domainOf(idea.name)
  for (const field of fields('company')) type(field, idea.name)
  for (const field of fields('message')) type(field, ideaInWords(idea))
}

const keep = (idea: Idea) => {
  try {
    sessionStorage.setItem(IDEA_STORAGE_KEY, JSON.stringify(idea))
  } catch {
    // a device that keeps nothing
  }
}

/** Brings the preview back as it was left in this tab. */
const restore = ({ name, trade, palette }: Idea) => {
  const field = nameField()
  if (field) field.value = name
  for (const value of [trade, palette]) {
    const choice = [...document.querySelectorAll<HTMLInputElement>('[data-preview=all] [type=radio]')].find(
      (radio) => radio.value === value,
    )
    if (choice) choice.checked = true
  }
}

let isStarted = false

/** Has the preview follow its controls, and takes the choice over into the forms of the page. */
export const start = (isTouched: boolean) => {
  const follow = () => {
    const idea = chosenIdea()
    keep(idea)
    show(idea)
  }
  if (!isStarted) for (const preview of parts('all')) preview.addEventListener('input', follow)
  isStarted = true
  const kept = keptIdea()
  if (isTouched) follow()
  else if (kept) {
    restore(kept)
    show(kept)
  }
}
