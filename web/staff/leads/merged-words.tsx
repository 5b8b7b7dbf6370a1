import type { Lead } from '../../../events/lead/wire.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { Chip } from '../chip.tsx'
import { LeadName } from './lead-name.tsx'
import { mergedInto } from './links.ts'
import { receivedInShort } from './received.ts'
import { Words } from './words.tsx'

/** What somebody else's words look like among what staff do. */
export const quoted = { paddingLeft: space.snug, borderLeft: `3px solid ${colour.edge}` } as const

/** Those of a person's leads that were merged into a lead, and in which somebody wrote. */
export const writtenInMerged = (leadId: string, leads: readonly Lead[]) =>
  mergedInto(leadId, leads).filter(({ message }) => message)

/** What somebody wrote in leads that were merged into another, each with whose words they are and of when. */
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

/** That others were merged into a lead, so that it shows not all that was asked; lists alone tell so. */
export const MergedChip = ({ lead }: { lead: Lead }) =>
  lead.hasMerged ? <Chip tip="Others were merged into this lead: its page shows them whole">+ merged lead</Chip> : null
