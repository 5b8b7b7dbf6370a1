import { rememberChoice, rememberedChoice } from './choice.ts'
import { askConsent } from './consent-bar.ts'
import { count, stopCounting } from './tag.ts'

// Where the choice can be changed, as easily as it was made.
const CHANGE_PATH = '/privacy'

/** Counts a visitor who has agreed, asks one who has not said anything yet, and leaves alone one who has refused. */
export const start = (id: string) => {
  const choice = rememberedChoice()
  if (choice === 'granted') count(id)
  if (choice && location.pathname.toLowerCase() !== CHANGE_PATH) return
  askConsent(choice, (made) => {
    rememberChoice(made)
    if (made === 'granted') count(id)
    else stopCounting(id)
  })
}
