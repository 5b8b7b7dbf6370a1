import type { Lead } from '../../../../events/lead/wire.ts'
import { PhoneIcon, WarningIcon } from '../../../ui/icons.tsx'
import { useNow } from '../../../ui/now.ts'
import { unseen } from '../../../ui/theme.ts'
import { Chip } from '../../chip.tsx'
import { briefMomentOf, dayInBrief, dayInShort, dayOf, momentOf } from '../../day.ts'
import { useSettings } from '../../settings/settings.ts'
import { replyClock } from './clock.ts'

/** The state of the promise to reply to a lead; renders nothing once it has been answered. */
export const ReplyPromise = ({ lead }: { lead: Lead }) => {
  const now = useNow()
  const { data: settings } = useSettings()
  const clock = replyClock(lead, now, settings?.supportHoursHistory ?? [])
  if (!clock) return null
  return (
    <Chip tone={clock.isOverdue ? 'bad' : 'plain'} tip={`Promised by ${momentOf(clock.due)}, in support hours`}>
      {clock.isOverdue && <WarningIcon />}
      {clock.text}
    </Chip>
  )
}

/** Shows that a reply by email failed, so the lead waits again. */
export const FailedEmail = ({ lead: { emailFailedAt } }: { lead: Lead }) =>
  emailFailedAt ? (
    <Chip tone="bad" tip={`The email of staff came back ${momentOf(emailFailedAt)}: check the address, or call`}>
      <WarningIcon />
      Email failed
    </Chip>
  ) : null

/** The newest unanswered call, however old: it counts until the lead is answered, and shows its day. */
const lastCallOf = ({ followUpStatus, unansweredCalls = [] }: Lead) =>
  followUpStatus === 'new' ? unansweredCalls.at(-1) : undefined

/** Shows that staff called a person who waits for a reply, without reaching them. */
export const MissedCall = ({ lead }: { lead: Lead }) => {
  const now = useNow()
  const call = lastCallOf(lead)
  return call ? <span>Called, no answer · {briefMomentOf(call.timestamp, now)}</span> : null
}

/** The same in few words, for a row; in a narrower place, with `isShort`, its time next to a telephone. */
export const BriefMissedCall = ({ lead, isShort }: { lead: Lead; isShort?: boolean }) => {
  const now = useNow()
  const call = lastCallOf(lead)
  return call ? (
    <Chip tip={`Called ${momentOf(call.timestamp)}: no answer`}>
      <PhoneIcon />
      <span>
        <span css={isShort && unseen}>No answer · </span>
        {briefMomentOf(call.timestamp, now)}
      </span>
    </Chip>
  ) : null
}

/** The day of the lead's next action; a past one stands out. Renders nothing if no day is set. */
export const NextAction = ({ day }: { day: string | null }) => {
  const today = dayOf(useNow())
  if (!day) return null
  const isOverdue = day < today
  return (
    <Chip tone={isOverdue ? 'bad' : 'plain'}>
      {isOverdue && <WarningIcon />}
      {day === today ? 'Next action today' : `Next action ${isOverdue ? 'was due' : 'on'} ${dayInShort(day)}`}
    </Chip>
  )
}

/** The same in few words, for a row. */
export const BriefNextAction = ({ day }: { day: string | null }) => {
  const today = dayOf(useNow())
  if (!day) return null
  if (day < today) {
    return (
      <Chip tone="bad">
        <WarningIcon />
        Was due {dayInBrief(day)}
      </Chip>
    )
  }
  return <Chip>{day === today ? 'Due today' : `Due ${dayInBrief(day)}`}</Chip>
}
