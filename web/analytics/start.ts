import { askConsent } from './consent-bar.ts'
import { storedChoice } from './consent-choice.ts'
import { count, stopCounting } from './tag.ts'

// The page on which the visitor can change the choice.
const CHANGE_PATH = '/privacy'

/** Counts a visitor who has agreed and asks one who has not decided yet. Does nothing after a refusal. */
export const start = (id: string) => {
  const choice = storedChoice.read()
  if (choice === 'granted') count(id)
  if (choice && location.pathname.toLowerCase() !== CHANGE_PATH) return
  askConsent(choice, (made) => {
    storedChoice.keep(made)
    if (made === 'granted') count(id)
    else stopCounting(id)
  })
}
