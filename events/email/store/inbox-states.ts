import { createHash } from 'node:crypto'
import { distinctAddresses } from '../../base/address.ts'
import type { InboxStates } from './deliveries.ts'

const KEY_CHARACTERS = 22

/** The key of an inbox in the states of an email: a hash, because the table must not hold addresses. */
export const inboxKey = (eventId: string, address: string): string =>
  createHash('sha256').update(`${eventId} ${address.toLowerCase()}`).digest('base64url').slice(0, KEY_CHARACTERS)

/**
 * The states of the current inboxes, in their order, then, with null, of each one that is no longer set; empty if the
 * states are not stored per inbox.
 */
export const inboxStatesOf = (eventId: string, inboxStates: InboxStates, addresses: string[]) => {
  const left = new Map(Object.entries(inboxStates))
  const known = distinctAddresses(addresses).flatMap((address) => {
    const state = left.get(inboxKey(eventId, address))
    left.delete(inboxKey(eventId, address))
    return state === undefined ? [] : [{ address, state }]
  })
  return [...known, ...[...left.values()].map((state) => ({ address: null, state }))]
}
