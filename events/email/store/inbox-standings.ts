import { createHash } from 'node:crypto'
import { distinctAddresses } from '../../base/address.ts'
import type { Standings } from './deliveries.ts'

const KEY_CHARACTERS = 22

/** Names an inbox in the standings of an email: a hash, so that the table holds no address. */
export const inboxKey = (eventId: string, address: string): string =>
  createHash('sha256').update(`${eventId} ${address.toLowerCase()}`).digest('base64url').slice(0, KEY_CHARACTERS)

/**
 * How the inboxes stand that are set now, in their order, and then with null each one that is set no longer; empty where
 * nothing is told apart.
 */
export const inboxStandings = (eventId: string, standings: Standings, addresses: string[]) => {
  const left = new Map(Object.entries(standings))
  const known = distinctAddresses(addresses).flatMap((address) => {
    const standing = left.get(inboxKey(eventId, address))
    left.delete(inboxKey(eventId, address))
    return standing === undefined ? [] : [{ address, standing }]
  })
  return [...known, ...[...left.values()].map((standing) => ({ address: null, standing }))]
}
