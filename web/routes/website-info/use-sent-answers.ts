import { useEffect, useState } from 'react'
import { type Sent, sentOf } from '../../ui/form/last-sent.ts'
import { QUESTIONNAIRE_FORM } from '../../ui/form/sent-details.ts'

/** The answers that the questionnaire has sent, stored as long as the tab. */
export const sentAnswers = sentOf(QUESTIONNAIRE_FORM)

/**
 * The answers that this tab has sent, also if the browser restores the page on the way back from the thank-you page.
 * `onSent` is called if there are any, to load the code that shows them.
 */
export const useSentAnswers = (onSent: () => void) => {
  const [sent, setSent] = useState<Sent>()
  useEffect(() => {
    const look = () => {
      const found = sentAnswers.read()
      if (found) onSent()
      setSent(found)
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
