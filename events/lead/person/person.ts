import { emailKey } from '../../base/address.ts'
import { phoneKey, phoneKeys, withoutHomeCode } from '../../base/phone.ts'
import { LINK_KINDS } from './person-wire.ts'

/** The keys by which a person is compared: their address and their numbers, if they have any. */
export const personKeys = ({ email, phone }: { email: string; phone: string }): string[] =>
  [emailKey(email) ?? [], phoneKeys(phone)].flat()

/**
 * Finds people in any text: whether it contains one of the keys by which people are compared, however its number is
 * written and whatever surrounds it. It finds too many rather than too few.
 */
export const findPersonKeys = (keys: readonly string[]) => {
  const emails = keys.filter((key) => key.includes('@'))
  const numbers = keys.filter((key) => !key.includes('@')).map(withoutHomeCode)
  return (text: string): boolean => {
    const words = text.toLowerCase()
    if (emails.some((email) => words.includes(email))) return true
    if (numbers.length === 0) return false
    const digits = text.replace(/\D/g, '')
    return numbers.some((number) => digits.includes(number))
  }
}

type LinkKind = (typeof LINK_KINDS)[number]

/** Why a lead belongs to a person: its link with another lead, which is nearer to the first one. */
export type Link = { by: LinkKind; leadId: string }

/** The former addresses and numbers, as they are compared, of a lead that was corrected. */
export type Earlier = { emails: readonly string[]; phones: readonly string[] }

/**
 * A lead's own address and number, and the lead into which it was merged. `chatKeys` are the addresses and numbers, as
 * they are compared, of the chats that it was made of.
 */
export type LinkedContact = {
  id: string
  email: string | null
  phone: string | null
  mergedInto: string | null
  chatKeys?: readonly string[]
  earlier?: Earlier
}

const linkKeys = ({ id, email, phone, mergedInto, chatKeys = [], earlier }: LinkedContact, by: LinkKind): string[] => {
  const [address, number] = [emailKey(email), phoneKey(phone ?? '')]
  const keys = {
    email: [address],
    phone: [number],
    merge: [id, mergedInto],
    chat: [...new Set([address, number, ...chatKeys])],
    earlier: [...new Set([address, number, ...chatKeys, ...(earlier?.emails ?? []), ...(earlier?.phones ?? [])])],
  }[by]
  return keys.flatMap((key) => (key === null ? [] : [`${by} ${key}`]))
}

const holdersOf = (contacts: readonly LinkedContact[]) => {
  const holders = new Map<string, LinkedContact[]>()
  for (const contact of contacts) {
    for (const key of LINK_KINDS.flatMap((by) => linkKeys(contact, by))) {
      const known = holders.get(key)
      if (known) known.push(contact)
      else holders.set(key, [contact])
    }
  }
  return holders
}

/**
 * The links of each of these leads with a lead, by its id: with the nearest of the others. Leads that were merged with
 * one another are equally near. The lead itself has no links; leads without any link are left out.
 */
export const linksFrom = (leadId: string, contacts: readonly LinkedContact[]): Map<string, Link[]> => {
  const links = new Map<string, Link[]>([[leadId, []]])
  const holders = holdersOf(contacts)

  /** The leads that share a link of this kind with one, and are not reached yet. Each key is looked up once. */
  const sharing = (near: LinkedContact, by: LinkKind) =>
    linkKeys(near, by).flatMap((key) => {
      const holding = holders.get(key) ?? []
      holders.delete(key)
      return holding.filter(({ id }) => !links.has(id))
    })

  const reach = (from: readonly LinkedContact[], kinds: readonly LinkKind[]) => {
    const found = new Map<LinkedContact, Link[]>()
    const link = (other: LinkedContact, { by, leadId }: Link) => {
      const known = found.get(other) ?? []
      // a chat adds nothing to the lead made of it, and an earlier value nothing to a current one
      const isWeak = by === 'chat' || by === 'earlier'
      if (known.some((each) => isWeak || each.by === by)) return
      found.set(other, [...known, { by, leadId }])
    }
    for (const by of kinds) {
      for (const near of from) for (const other of sharing(near, by)) link(other, { by, leadId: near.id })
    }
    for (const [{ id }, why] of found) links.set(id, why)
    return [...found.keys()]
  }

  for (let round = contacts.filter(({ id }) => id === leadId); round.length > 0; ) {
    const whole = [...round]
    for (let next = round; next.length > 0; whole.push(...next)) next = reach(next, ['merge'])
    round = reach(whole, ['email', 'phone', 'chat', 'earlier'])
  }
  return links
}
