import { useEffect, useState } from 'react'
import { QUESTIONNAIRE_FORM } from '../../ui/form/sent-details.ts'
import { type Sent, sentOf } from '../../ui/form/sent-kept.ts'

/** What the questionnaire has sent, as long as the tab. */
export const sentAnswers = sentOf(QUESTIONNAIRE_FORM)

/**
 * The answers that this tab has sent; a look at the page that sent them, on the way back from the thank-you page, has
 * them too. `onSent` is told, so that the code that shows them is there.
 */
export const useSentAnswers = (onSent: () => void) => {
  const [sent, setSent] = useState<Sent>()
  useEffect(() => {
    const look = () => {
      const kept = sentAnswers.read()
      if (kept) onSent()
      setSent(kept)
    }
    look()
    addEventListener('pageshow', look)
    return () => removeEventListener('pageshow', look)
  }, [onSent])
  const answerAgain = () => {
    sentAnswers.discard()
    setSent(undefined)
  }
  return { sent, answerAgain }
}
