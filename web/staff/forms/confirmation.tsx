import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type Problem, whenUnconfirmed } from '../../client/http.ts'
import type { Question } from './confirmation-question.tsx'

/** Its code, with that of forms, is fetched on first use. */
const ConfirmationQuestion = lazy(async () => ({
  default: (await import('./confirmation-question.tsx')).ConfirmationQuestion,
}))

/** Asks for the password if a request is refused without it. The request is then sent again. */
export const Confirmation = () => {
  const [question, setQuestion] = useState<Question>()
  const underWay = useRef<Promise<boolean>>(undefined)
  useEffect(() => {
    const ask = ({ needsCode = false }: Problem) => {
      underWay.current ??= new Promise<boolean>((settle) => setQuestion({ needsCode, settle })).finally(() => {
        underWay.current = undefined
        setQuestion(undefined)
      })
      return underWay.current
    }
    return whenUnconfirmed(ask)
  }, [])
  return <Suspense>{question && <ConfirmationQuestion {...question} />}</Suspense>
}
