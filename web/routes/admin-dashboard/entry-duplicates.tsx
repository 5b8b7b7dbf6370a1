import * as v from 'valibot'
import { emailKey } from '../../../events/base/address.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { phoneKey, phoneKeys, phoneLinks } from '../../../events/base/phone.ts'
import { requiredEmail } from '../../../events/base/text.ts'
import { entered } from '../../../events/lead/entry.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import { type Lead, leads } from '../../../events/lead/wire.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { useDebounced } from '../../staff/requests/use-debounced.ts'
import { useGet } from '../../staff/requests/use-get.ts'
import { type } from '../../ui/theme.ts'

const TYPING_PAUSE_MS = 250
/** A search also finds longer addresses and numbers, which are not the person's. */
const SEARCHED_LEADS = '50'

const address = requiredEmail('Not an address')

/** The leads that a search finds and that match, newest first; nothing is requested without a text. */
const useFound = (q: string, isMatch: (lead: Lead) => boolean): Lead[] => {
  const { data = [] } = useGet(q ? `/api/leads?${new URLSearchParams({ q, limit: SEARCHED_LEADS })}` : undefined, leads)
  return data.filter(isMatch)
}

/**
 * The leads that already have an email address or a phone number, once it is complete and typing has paused; and
 * whether a text with the length of a phone number cannot be called.
 */
const useKnownLeads = (typed: { email: string; phone: string }) => {
  const email = useDebounced(typed.email.trim(), TYPING_PAUSE_MS)
  const phone = useDebounced(typed.phone.trim(), TYPING_PAUSE_MS)
  const [emailOf, phoneOf] = [emailKey(email), phoneKey(phone)]
  return {
    byEmail: useFound(v.is(address, email) ? email : '', (lead) => emailKey(lead.email) === emailOf),
    isUncallable: v.is(entered.phone, phone) && phone !== '' && phoneLinks(phone) === null,
    byPhone: useFound(phoneOf ?? '', (lead) => phoneKeys(lead.phone).some((key) => key === phoneOf)),
  }
}

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
export const EntryDuplicates = (typed: { email: string; phone: string }) => {
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
