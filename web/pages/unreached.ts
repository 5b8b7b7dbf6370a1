import { postPlainly } from '../ui/form/native-submit.ts'

const note = document.createElement('p')
note.role = 'alert'
note.style.cssText =
  'position:fixed;z-index:60;inset:auto 1rem calc(var(--bar) + 1rem);max-width:24rem;margin:auto;padding:1rem;border:2px solid;background:#fdeedb'

const showText = () => {
  const call = document.querySelector('a[href^="tel:"]')?.cloneNode(true) as Node
  note.replaceChildren('You seem to be offline. Try again soon, or call ', call)
  document.body.append(note)
}

/**
 * Handles an island whose code cannot be loaded: a form works without it; other islands show a note with the phone
 * number, until there is a network or the next try.
 */
export const answerUnreached = () => {
  addEventListener(
    'unreached',
    (event) => {
      event.preventDefault()
      const { target } = event
      if (target instanceof HTMLFormElement) postPlainly(target, showText)
      else showText()
    },
    true,
  )
  addEventListener('online', () => note.remove())
  addEventListener('pointerdown', ({ target }) => note.contains(target as Node) || note.remove())
}
