import { Link } from 'react-router'
import type { OtherRequest } from '../../../events/lead/screens/today-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/account/colleagues.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { useNow } from '../../ui/now.ts'
import { colour, space } from '../../ui/theme.ts'
import { FROM_TODAY } from './from-today.ts'

/**
 * Another request of a lead's person, and the staff member who has replied to it or owns it, so that two do not write
 * to one customer. Links to that request.
 */
export const OtherRequestLine = ({ lead, other }: { lead: Lead; other: OtherRequest }) => {
  const now = useNow()
  const owner = useOwnerName(other.ownerId)
  const answerer = useOwnerName(other.answeredBy)
  const when = other.answeredAt && shortMomentOf(other.answeredAt, now)
  const isLost = other.followUpStatus === 'lost' // a lost lead may have got no reply
  const isNamed = Boolean(when && answerer && !isLost)
  const state = isLost ? 'lost' : when ? `answered ${answerer ? `by ${answerer}, ` : ''}${when}` : 'not answered yet'
  const alias = other.name.toLowerCase() === leadTitle(lead).toLowerCase() ? '' : `, as ${other.name}`
  return (
    <Link
      to={leadAddress(other.otherId)}
      state={FROM_TODAY}
      css={{ flexBasis: '100%', padding: `${space.hair} 0`, color: colour.ink, overflowWrap: 'anywhere' }}
    >
      {`Also asked${alias}: ${state}${owner && !isNamed ? `, assigned to ${owner}` : ''}`}
    </Link>
  )
}
