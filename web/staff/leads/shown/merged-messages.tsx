import type { Lead } from '../../../../events/lead/wire.ts'
import { colour, space, type } from '../../../ui/theme.ts'
import { Chip } from '../../chip.tsx'
import { receivedInShort } from '../clock/received-in-words.ts'
import { mergedInto } from '../merge/links.ts'
import { Words } from './lead-message.tsx'
import { LeadName } from './lead-name.tsx'

/** The style of a visitor's words among entries of staff. */
export const quoted = { paddingLeft: space.snug, borderLeft: `3px solid ${colour.edge}` } as const

/** The leads of a person that were merged into a lead and have a message. */
export const writtenInMerged = (leadId: string, leads: readonly Lead[]) =>
  mergedInto(leadId, leads).filter(({ message }) => message)

/** The messages of leads that were merged into another, each with its author and date. */
export const MergedWords = ({ leads }: { leads: readonly Lead[] }) => (
  <ul css={{ display: 'grid', gap: space.snug }}>
    {leads.map((lead) => (
      <li key={lead.id} css={quoted}>
        <p css={{ color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>
          <LeadName lead={lead} />, {receivedInShort(lead)}
        </p>
        <Words lead={lead} />
      </li>
    ))}
  </ul>
)

/** Shows that others were merged into a lead, which therefore does not show every request; used in lists only. */
export const MergedChip = ({ lead }: { lead: Lead }) =>
  lead.hasMerged ? <Chip tip="Others were merged into this lead: its page shows them whole">+ merged lead</Chip> : null
