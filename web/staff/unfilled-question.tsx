import { useRef, useState } from 'react'
import { unfilledInWords } from '../../events/base/placeholders.ts'
import { Button } from '../ui/button.tsx'
import { space } from '../ui/theme.ts'
import { FormProblem } from './form-problem.tsx'

/** Asks before a text goes out that still holds a placeholder. */
export const useUnfilledQuestion = () => {
  const [question, setQuestion] = useState<string>()
  const asked = useRef('')
  const allowed = useRef<string>(undefined)
  return {
    question,
    /** Whether a text may be sent: where not, the question is there. */
    mayGo: (text: string): boolean => {
      const why = text === allowed.current ? undefined : unfilledInWords(text)
      asked.current = text
      allowed.current = undefined
      setQuestion(why)
      return why === undefined
    },
    /** The text that was asked about may be sent as it is, and no other one. */
    allow: () => {
      allowed.current = asked.current
    },
    /** The text is another one. */
    forget: () => setQuestion(undefined),
  }
}

/** The question, with the press that sends the text all the same; nothing where there is none. */
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
