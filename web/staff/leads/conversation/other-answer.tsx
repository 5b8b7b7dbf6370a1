import { useContext } from 'react'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { isErased, type Lead } from '../../../../events/lead/wire.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import { useNow } from '../../../ui/now.ts'
import { space } from '../../../ui/theme.ts'
import { briefMomentOf, dayOf } from '../../day.ts'
import { ownIdsOf, relatedTo } from '../merge/links.ts'
import { PlainLink } from '../shown/plain-link.tsx'
import { isAnswer } from './answer-kinds.ts'
import { PersonLeads } from './person-leads.ts'

/** An older reply is not shown: writing again is fine by then. */
const SHOWN_FOR_MS = 7 * 24 * 60 * 60 * 1000
/** Staff who set this status have replied, in some way. */
const isMarkedContacted = ({ kind, data }: TimelineEntry) => kind === 'follow_up' && data.followUpStatus === 'contacted'

/** The other leads of the person that a reply may have gone to, by the ids of all that were merged into them. */
const othersOf = (lead: Lead, leads: readonly Lead[]) =>
  new Map(
    relatedTo(lead.id, leads)
      .filter((other) => !other.suspicion && !other.emailFailedAt && !isErased(other))
      .flatMap((other) => [...ownIdsOf(other.id, leads)].map((id) => [id, other.id])),
  )

/**
 * Reports that the person recently got a reply under another lead, with a link to it; nothing if this lead got one
 * after that, or if it is more than a week ago. `last` is the last reply to this lead.
 */
export const OtherAnswer = (props: {
  lead: Lead
  timeline: readonly TimelineEntry[]
  last: TimelineEntry | undefined
}) => {
  const { lead, timeline, last } = props
  const now = useNow()
  const others = othersOf(lead, useContext(PersonLeads))
  const answer = timeline.findLast(
    (entry) => !entry.isUndone && others.has(entry.leadId ?? '') && (isAnswer(entry) || isMarkedContacted(entry)),
  )
  const otherId = others.get(answer?.leadId ?? '')
  if (!answer || !otherId) return null
  const at = Date.parse(answer.timestamp)
  const isPast = [lead.answeredAt, last?.timestamp].some((own) => own && Date.parse(own) >= at)
  if (isPast || at < now.getTime() - SHOWN_FOR_MS) return null
  const today = dayOf(answer.timestamp) === dayOf(now) ? 'today ' : ''
  return (
    <p css={{ marginBottom: space.snug, fontWeight: 600, overflowWrap: 'anywhere' }}>
      <PlainLink leadId={otherId}>
        {`${answer.by ?? FORMER_COLLEAGUE} answered another request of theirs, ${today}${briefMomentOf(answer.timestamp, now)}`}
      </PlainLink>
    </p>
  )
}
