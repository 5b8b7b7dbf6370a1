import { emailKey } from '../base/address.ts'
import { phoneKey, phoneKeys, withoutHomeCode } from '../base/phone.ts'

/** All that a person is compared by: their address and their numbers, as far as they have any. */
export const personKeys = ({ email, phone }: { email: string; phone: string }): string[] =>
  [emailKey(email) ?? [], phoneKeys(phone)].flat()

/**
 * Finds people in any text: whether one of the keys by which people are compared is in it, however its number is written
 * and whatever else stands there. It finds too many rather than too few.
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

/**
 * What two leads can have in common: an address, a number, that one was merged into the other, that one was made of a chat
 * which had the other's address, or an address of the chat that the other was made of; or that one has an address or a
 * number which the other had before it was corrected, and which may be a stranger's.
 */
export const LINK_KINDS = ['email', 'phone', 'merge', 'chat', 'earlier'] as const

type LinkKind = (typeof LINK_KINDS)[number]

/** Why a lead is taken for a person's: what it has in common with another lead, which is nearer to the first one. */
export type Link = { by: LinkKind; leadId: string }

/** The addresses and numbers, as they are compared, that a lead had before it was corrected, and has no more. */
export type Earlier = { emails: readonly string[]; phones: readonly string[] }

/**
 * A lead's own address and number, and the lead into which it was merged. `chatEmails` are the addresses, as they are
 * compared, of the chats that it was made of.
 */
export type LinkedContact = {
  id: string
  email: string | null
  phone: string | null
  mergedInto: string | null
  chatEmails?: readonly string[]
  earlier?: Earlier
}

const linkKeys = (
  { id, email, phone, mergedInto, chatEmails = [], earlier }: LinkedContact,
  by: LinkKind,
): string[] => {
  const [address, number] = [emailKey(email), phoneKey(phone ?? '')]
  const keys = {
    email: [address],
    phone: [number],
    merge: [id, mergedInto],
    chat: [...new Set([address, ...chatEmails])],
    earlier: [...new Set([address, number, ...chatEmails, ...(earlier?.emails ?? []), ...(earlier?.phones ?? [])])],
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
 * Why each of these leads is linked with one of them, by its id: by what it has in common with the nearest of the
 * others. Leads that were merged with one another are as near as one. The lead itself has no links; what is linked with
 * none is left out.
 */
export const linksFrom = (leadId: string, contacts: readonly LinkedContact[]): Map<string, Link[]> => {
  const links = new Map<string, Link[]>([[leadId, []]])
  const holders = holdersOf(contacts)

  const reach = (from: readonly LinkedContact[], kinds: readonly LinkKind[]) => {
    const found = new Map<LinkedContact, Link[]>()
    for (const by of kinds) {
      for (const near of from) {
        for (const key of linkKeys(near, by)) {
          const others = (holders.get(key) ?? []).filter(({ id }) => !links.has(id))
          // all who have it are reached by now
          holders.delete(key)
          for (const other of others) {
            const known = found.get(other) ?? []
            // a chat tells no more than the lead that was made of it, and what was before no more than what is
            if ((by === 'chat' || by === 'earlier') && known.length > 0) continue
            if (!known.some((link) => link.by === by)) found.set(other, [...known, { by, leadId: near.id }])
          }
        }
      }
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

/** Finds the leads that were merged with a lead, itself among them: the one that stays first. */
export const familiesOf = <Lead extends { id: string; mergedInto?: string | null }>(leads: readonly Lead[]) => {
  const parents = new Map(leads.map(({ id, mergedInto }) => [id, mergedInto]))
  const stayingOf = (id: string): string => {
    const parent = parents.get(id)
    return parent ? stayingOf(parent) : id
  }
  const families = Map.groupBy(leads, ({ id }) => stayingOf(id))
  return (id: string): Lead[] =>
    (families.get(stayingOf(id)) ?? []).toSorted(
      (a, b) => Number(Boolean(a.mergedInto)) - Number(Boolean(b.mergedInto)),
    )
}
