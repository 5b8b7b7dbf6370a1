import type { NewWord } from '../../../../events/base/word.ts'
import { familiesOf } from '../../../../events/lead/person/families.ts'
import type { Links } from '../../../../events/lead/person/person-wire.ts'

/** A lead, and those that were merged into it. */
export const ownIdsOf = (leadId: string, leads: readonly { id: string; mergedInto?: string | null }[]) =>
  new Set([leadId, ...familiesOf(leads)(leadId).map(({ id }) => id)])

export const mergedInto = <Lead extends { id: string; mergedInto?: string | null }>(
  leadId: string,
  leads: readonly Lead[],
): Lead[] => {
  const ownIds = ownIdsOf(leadId, leads)
  return leads.filter(({ id }) => id !== leadId && ownIds.has(id))
}

/** The other leads of a person: those that were neither merged into a lead nor into another one. */
export const relatedTo = <Lead extends { id: string; mergedInto?: string | null }>(
  leadId: string,
  leads: readonly Lead[],
): Lead[] => {
  const ownIds = ownIdsOf(leadId, leads)
  return leads.filter(({ id, mergedInto: stays }) => !stays && !ownIds.has(id))
}

/** The titles of leads, and the ids of the lead that is shown. */
type Known = { ownIds: ReadonlySet<string>; titles: ReadonlyMap<string, string> }

const linkInWords = ({ by, leadId }: Links[number], { ownIds, titles }: Known): string => {
  const isOwn = ownIds.has(leadId)
  const other = titles.get(leadId) ?? 'another lead'
  switch (by) {
    case 'email':
      return isOwn ? 'Same email' : `Same email as ${other}`
    case 'phone':
      return isOwn ? 'Same phone' : `Same phone as ${other}`
    case 'merge':
      return isOwn ? 'Merged into this one' : `Merged with ${other}`
    case 'chat':
      return isOwn ? 'Same email or phone in the chat' : `Same email or phone in the chat as ${other}`
    case 'earlier':
      return `Has what ${isOwn ? 'this lead' : other} had before a correction`
    default:
      by satisfies NewWord
      return `Linked with ${isOwn ? 'this one' : other}`
  }
}

/** Why a lead is related to the one that is shown, as text; empty if there is no reason to show. */
export const linksInWords = (links: Links | undefined, known: Known): string =>
  (links ?? []).map((link) => linkInWords(link, known)).join(', ')
