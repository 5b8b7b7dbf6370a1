import type { ReactNode } from 'react'
import { sourceInWords } from '../../../events/lead/labels.ts'
import type { TimelineEntry } from '../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { momentOf } from '../../staff/day.ts'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import { Columns } from '../../staff/leads/conversation/columns.tsx'
import { Panel } from '../../staff/leads/conversation/panel.tsx'
import { PersonTimeline } from '../../staff/leads/conversation/person-timeline.tsx'
import { facts } from '../../staff/leads/conversation/property.ts'
import type { useLead } from '../../staff/leads/lead.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { Answers, choicesOf } from '../../staff/leads/shown/answers.tsx'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { colour, radius, space } from '../../ui/theme.ts'

const erasureInWords = ({ timestamp, by }: TimelineEntry) => ` on ${momentOf(timestamp)}${by ? ` by ${by}` : ''}`

/** The remains of a lead whose person has been erased: it can no longer be changed. */
export const ErasedLead = ({
  lead,
  person,
  back,
}: { lead: Lead; back: ReactNode } & Pick<ReturnType<typeof useLead>, 'person'>) => {
  const erasure = person.data?.timeline.find(({ kind, leadId }) => kind === 'erased' && leadId === lead.id)
  return (
    <>
      <TopBar before={back} title={leadTitle(lead)} />
      <p css={{ marginBottom: space.base, padding: space.base, borderRadius: radius.card, background: colour.sunk }}>
        This person was erased{erasure && erasureInWords(erasure)}. Their personal data is deleted for good.
      </p>
      <Columns
        properties={null}
        thread={<PersonTimeline leadId={lead.id} person={person} />}
        facts={
          <Panel id="request" title="What they sent">
            <dl css={facts}>
              <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
              <Detail name="Submitted">{receivedMoment(lead)}</Detail>
              <Answers answers={choicesOf(lead)} />
            </dl>
          </Panel>
        }
      />
    </>
  )
}
