import * as v from 'valibot'
import { emailKey } from '../../../events/base/address.ts'
import { dialOf, phoneKey, phoneKeys } from '../../../events/base/phone.ts'
import { requiredEmail } from '../../../events/base/text.ts'
import { entered } from '../../../events/lead/entry.ts'
import { type Lead, leads } from '../../../events/lead/wire.ts'
import { useDebounced } from '../../staff/use-debounced.ts'
import { useGet } from '../../staff/use-get.ts'

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
export const useKnownLeads = (typed: { email: string; phone: string }) => {
  const email = useDebounced(typed.email.trim(), TYPING_PAUSE_MS)
  const phone = useDebounced(typed.phone.trim(), TYPING_PAUSE_MS)
  const [emailOf, phoneOf] = [emailKey(email), phoneKey(phone)]
  return {
    byEmail: useFound(v.is(address, email) ? email : '', (lead) => emailKey(lead.email) === emailOf),
    isUncallable: v.is(entered.phone, phone) && phone !== '' && dialOf(phone) === undefined,
    byPhone: useFound(phoneOf ?? '', (lead) => phoneKeys(lead.phone).some((key) => key === phoneOf)),
  }
}
