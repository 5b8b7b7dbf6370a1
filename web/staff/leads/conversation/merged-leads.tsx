import { SHOWN_FIELDS } from '../../../../events/lead/person/merge.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { colour, space, type } from '../../../ui/theme.ts'
import { EmailText } from '../contact/email-text.tsx'
import { shownPhone } from '../list/groups.ts'
import { mergedInto } from '../merge/links.ts'
import { Answers } from '../shown/answers.tsx'
import { Detail } from '../shown/detail.tsx'
import { SHOWN_NAMES, shownInWords } from '../shown/labels.ts'
import { LeadName } from '../shown/lead-name.tsx'
import { FIRST_ENTRIES } from './first-entries.ts'
import { Panel } from './panel.tsx'
import { facts } from './property.ts'
import { Received } from './received.tsx'
import { RequestDetails } from './request-details.tsx'

/** The lead's own values, as corrected, of the fields that now show those of a merged one. */
const ownBefore = (lead: Lead, timeline: readonly TimelineEntry[]) => {
  const own = timeline.filter(({ leadId }) => leadId === lead.id)
  const corrections = own.filter(({ kind }) => kind === 'corrected').map(({ data }) => data)
  const sent = { ...own.find(({ kind }) => FIRST_ENTRIES.includes(kind))?.data, ...Object.assign({}, ...corrections) }
  return SHOWN_FIELDS.flatMap((field): [string, string][] => {
    const value = sent[field]
    return typeof value === 'string' && value && value !== lead[field]
      ? [[SHOWN_NAMES[field], shownInWords(field, value)]]
      : []
  })
}

const Merged = ({ lead }: { lead: Lead }) => (
  <details>
    <summary css={{ cursor: 'pointer' }}>
      <span css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        <LeadName lead={lead} />
      </span>
      <Received lead={lead} />
    </summary>
    <div css={{ margin: `${space.snug} 0`, paddingLeft: space.snug, borderLeft: `2px solid ${colour.line}` }}>
      <RequestDetails lead={lead}>
        <Detail name="Name">{lead.name}</Detail>
        <Detail name="Email">{lead.email && <EmailText email={lead.email} />}</Detail>
        <Detail name="Phone">{shownPhone(lead)}</Detail>
      </RequestDetails>
    </div>
  </details>
)

/** The leads that were merged into one, each with all its data, and that one's own values if it shows theirs. */
export const MergedLeads = (props: { lead: Lead; leads: readonly Lead[]; timeline: readonly TimelineEntry[] }) => {
  const { lead, leads, timeline } = props
  const merged = mergedInto(lead.id, leads)
  if (merged.length === 0) return null
  const before = ownBefore(lead, timeline)
  return (
    <Panel id="merged-leads" title="Merged into this lead">
      <ul css={{ display: 'grid', gap: space.snug }}>
        {merged.map((other) => (
          <li key={other.id}>
            <Merged lead={other} />
          </li>
        ))}
      </ul>
      {before.length > 0 && (
        <>
          <p css={{ marginTop: space.base, fontSize: type.small, fontWeight: 600 }}>This lead said before the merge</p>
          <dl css={facts}>
            <Answers answers={before} />
          </dl>
        </>
      )}
    </Panel>
  )
}
