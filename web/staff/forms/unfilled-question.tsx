import { useRef, useState } from 'react'
import { unfilledInWords } from '../../../events/base/unfilled-words.ts'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { FormProblem } from './form-problem.tsx'

/** Asks before a text is sent that still contains a placeholder. */
export const useUnfilledQuestion = () => {
  const [question, setQuestion] = useState<string>()
  const questioned = useRef('')
  const allowed = useRef<string>(undefined)
  return {
    question,
    /** Whether a text may be sent; if not, the question is shown. */
    mayGo: (text: string): boolean => {
      const unfilled = text === allowed.current ? undefined : unfilledInWords(text)
      questioned.current = text
      allowed.current = undefined
      setQuestion(unfilled)
      return unfilled === undefined
    },
    /** Allows the text in question to be sent as it is, and no other one. */
    allow: () => {
      allowed.current = questioned.current
    },
    /** The text has changed. */
    forget: () => setQuestion(undefined),
  }
}

/** The question, with the button that sends the text all the same; renders nothing without one. */
export const UnfilledQuestion = ({ question, onSend }: { question: string | undefined; onSend: () => void }) => (
  <>
    <FormProblem problem={question} />
    {question && (
      <Button look="quiet" onClick={onSend} css={{ justifySelf: 'start', marginBlock: space.tight }}>
        Send as written
      </Button>
    )}
  </>
)
