import { nameOf } from '../../../events/base/name-of.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { counted } from '../../staff/leads/labels.ts'
import { leadTitle } from '../../staff/leads/list.ts'
import { type } from '../../ui/theme.ts'
import { useKnownLeads } from './use-known-leads.ts'

const Known = ({ kind, leads: [newest, ...others] }: { kind: string; leads: readonly Lead[] }) =>
  newest && (
    <p>
      There is a lead with this {kind}: {/* in a new tab, so that the typed text stays */}
      <a href={leadAddress(newest.id)} target="_blank" rel="noreferrer">
        {leadTitle(newest)} (new tab)
      </a>
      , {nameOf(STATUS_NAMES, newest.followUpStatus).toLowerCase()}, {dayInShort(dayOf(newest.timestamp))}
      {others.length > 0 && `, and ${counted(others.length, 'other')}`}.
    </p>
  )

const isSame = (some: readonly Lead[], others: readonly Lead[]) =>
  some.length === others.length && some.every(({ id }, index) => id === others[index]?.id)

/**
 * Shows the existing leads with the typed address or number, and warns of a number that cannot be called. Neither
 * prevents adding the lead.
 */
export const KnownLeads = (typed: { email: string; phone: string }) => {
  const { byEmail, byPhone, isUncallable } = useKnownLeads(typed)
  return (
    <div role="status" css={{ fontSize: type.small, overflowWrap: 'anywhere' }}>
      {isUncallable && <p>This number cannot be called. Is a digit missing?</p>}
      {isSame(byEmail, byPhone) ? (
        <Known kind="email address and number" leads={byEmail} />
      ) : (
        <>
          <Known kind="email address" leads={byEmail} />
          <Known kind="number" leads={byPhone} />
        </>
      )}
    </div>
  )
}
