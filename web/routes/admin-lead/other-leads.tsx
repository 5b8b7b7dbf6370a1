import { Link } from 'react-router'
import { sourceInWords } from '../../../events/lead-words.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { leadTitle } from '../../staff/leads/list.ts'
import { StatusChip } from '../../staff/leads/status.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { Panel } from './panel.tsx'

/** The other leads of the same person; nothing where there are none. */
export const OtherLeads = ({ leads }: { leads: readonly Lead[] }) => {
  if (leads.length === 0) return null
  return (
    <Panel id="other-leads" title="Related leads">
      <ul css={{ display: 'grid', gap: space.snug }}>
        {leads.map((lead) => (
          <li key={lead.id}>
            <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
              <Link to={leadAddress(lead.id)} css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
                {leadTitle(lead)}
              </Link>
              <StatusChip status={lead.followUpStatus} />
            </div>
            <p css={{ color: colour.soft, fontSize: type.small }}>
              {sourceInWords(lead.leadSource)}, {momentOf(lead.timestamp)}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
