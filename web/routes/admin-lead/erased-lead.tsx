import { sourceInWords } from '../../../events/lead/labels.ts'
import type { TimelineEntry } from '../../../events/lead/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { momentOf } from '../../staff/day.ts'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import type { useLead } from '../../staff/leads/lead.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { Answers, choicesOf } from '../../staff/leads/shown/answers.tsx'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { Columns } from './columns.tsx'
import { Panel } from './panel.tsx'
import { PersonTimeline } from './person-timeline.tsx'

const erasureInWords = ({ timestamp, by }: TimelineEntry) => ` on ${momentOf(timestamp)}${by ? ` by ${by}` : ''}`

/** The remains of a lead whose person has been erased: it can no longer be changed. */
export const ErasedLead = ({ lead, person }: { lead: Lead } & Pick<ReturnType<typeof useLead>, 'person'>) => {
  const erasure = person.data?.timeline.find(({ kind, leadId }) => kind === 'erased' && leadId === lead.id)
  return (
    <>
      <TopBar title={leadTitle(lead)} />
      <p css={{ marginTop: space.base, padding: space.base, borderRadius: radius.card, background: colour.sunk }}>
        This person was erased{erasure && erasureInWords(erasure)}. Their personal data is deleted for good.
      </p>
      <Columns>
        <Panel id="request" title="Request">
          <dl css={{ display: 'grid', gap: space.base }}>
            <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
            <Detail name="Submitted">{receivedMoment(lead)}</Detail>
            <Answers answers={choicesOf(lead)} />
          </dl>
        </Panel>
        <Panel id="timeline" title="Timeline">
          <PersonTimeline leadId={lead.id} person={person} />
        </Panel>
      </Columns>
    </>
  )
}
