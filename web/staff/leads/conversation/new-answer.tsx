import { useRef, useState } from 'react'
import { hasReachedNoRecipient } from '../../../../events/email/email.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import { Button } from '../../../ui/button.tsx'
import { space } from '../../../ui/theme.ts'
import { momentOf } from '../../day.ts'
import { FormProblem } from '../../forms/form-problem.tsx'

/** A call may be logged hours later, dated by its time. Older entries came with a lead that was merged since then. */
const MAX_LOGGING_DELAY_MS = 24 * 60 * 60 * 1000

/**
 * Whether a lead got a reply since an email to it was begun, so that two do not write the same. `answers` are those
 * that were not undone, oldest first, undefined until they are known; `knownBefore` are the ids of those that were
 * there when the email was begun, if that was earlier; `begunAt` is when that was, ISO 8601; `isOwn` says which replies
 * are the writer's own.
 */
export const useNewAnswer = (props: {
  answers: readonly TimelineEntry[] | undefined
  knownBefore: readonly string[] | undefined
  begunAt: string
  isOwn: (answer: TimelineEntry) => boolean
}) => {
  const { answers, knownBefore, begunAt, isOwn } = props
  const [known, setKnown] = useState(knownBefore)
  if (known === undefined && answers !== undefined) setKnown(answers.map(({ id }) => id))
  const since = Date.parse(begunAt) - MAX_LOGGING_DELAY_MS
  const isNewAnswer = (answer: TimelineEntry) =>
    !known?.includes(answer.id) &&
    Date.parse(answer.timestamp) > since &&
    !hasReachedNoRecipient(answer.data.state) &&
    !isOwn(answer)
  const answer = known && answers?.findLast(isNewAnswer)
  const allowedId = useRef<string>(undefined)
  const panel = useRef<HTMLDivElement>(null)
  return {
    answer,
    panel,
    known,
    /** Whether an email may be sent: if not, the note takes the focus. */
    mayGo: (): boolean => {
      if (!answer || answer.id === allowedId.current) return true
      panel.current?.focus()
      return false
    },
    /** Allows the email all the same, until another reply comes. */
    allow: () => {
      allowedId.current = answer?.id
    },
  }
}

/** Reports such a reply, with the button that sends the email all the same; nothing if there is none. */
export const NewAnswer = (
  props: Pick<ReturnType<typeof useNewAnswer>, 'answer' | 'panel'> & { onSend: () => void },
) => {
  const { answer, panel, onSend } = props
  const problem =
    answer &&
    `${answer.by ?? FORMER_COLLEAGUE} has replied since (${momentOf(answer.timestamp)}). Your email is not sent. Read the answer in the timeline first.`
  return (
    <div ref={panel} tabIndex={-1}>
      <FormProblem problem={problem} />
      {answer && (
        <Button look="quiet" onClick={onSend} css={{ marginBlock: space.tight }}>
          Send anyway
        </Button>
      )}
    </div>
  )
}
