import { useState } from 'react'
import { questionsAnswered } from '../../../../events/lead/form/website-questions.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { space } from '../../../ui/theme.ts'
import { Detail } from './detail.tsx'
import { LongText } from './long-text.tsx'

/** The number of answers shown before the rest is requested; a few more are shown at once. */
const SHOWN_ANSWERS = 6
const MAX_SHOWN = 8

/** The answers of a questionnaire under their questions; empty for any other lead. */
export const answersOf = ({ answers = {} }: Pick<Lead, 'answers'>) => questionsAnswered(answers)

/** Whether a lead is a questionnaire with answers to show; else its message is shown. */
export const hasAnswers = (lead: Pick<Lead, 'answers'>) => answersOf(lead).length > 0

export const answersInShort = (lead: Lead) =>
  answersOf(lead)
    .map(([question, answer]) => `${question}: ${answer}`)
    .join(' · ')

const Answered = ({ answers }: { answers: ReturnType<typeof answersOf> }) => {
  const [isWhole, setWhole] = useState(false)
  const isCut = answers.length > MAX_SHOWN
  return (
    <>
      <dl css={{ display: 'grid', gap: space.snug }}>
        {answers.slice(0, isCut && !isWhole ? SHOWN_ANSWERS : undefined).map(([question, answer]) => (
          <Detail key={question} name={question}>
            <LongText text={answer} kind="answer" isBrief />
          </Detail>
        ))}
      </dl>
      {isCut && (
        <Button
          look="quiet"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          css={{ display: 'flex', marginTop: space.tight }}
        >
          {isWhole ? 'Show fewer answers' : `Show all ${answers.length} answers`}
        </Button>
      )}
    </>
  )
}

/** The visitor's message, or their answers in the questionnaire. Renders nothing if there is neither. */
export const Words = ({ lead }: { lead: Lead }) => {
  const answers = answersOf(lead)
  if (answers.length > 0) return <Answered answers={answers} />
  if (!lead.message) return null
  return (
    <div dir="auto" css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      <LongText text={lead.message} kind="message" isBrief />
    </div>
  )
}
