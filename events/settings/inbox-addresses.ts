import * as v from 'valibot'
import { distinctAddresses } from '../base/address.ts'
import { requiredEmail } from '../base/text.ts'
import { definePart } from './part.ts'

/** How many inboxes may get a copy. */
export const MAX_INBOX_ADDRESSES = 10

export const inboxAddress = requiredEmail('Please enter a valid email address')

/** The addresses that get a copy of every email to the agency, besides the address set in the email service itself. */
export const inboxAddressesForm = v.strictObject({
  addresses: v.pipe(
    v.array(inboxAddress),
    v.maxLength(MAX_INBOX_ADDRESSES, `At most ${MAX_INBOX_ADDRESSES} addresses`),
    v.transform(distinctAddresses),
  ),
})

export const inboxAddressesPart = definePart({
  name: 'inbox-addresses',
  summary: 'Sets the addresses that get signed contracts',
  type: 'InboxAddressesChanged',
  form: inboxAddressesForm,
  apply: ({ addresses }) => addresses,
  initial: [],
  isConfirmed: true,
})

export const inboxAddressesWire = v.array(v.string())
