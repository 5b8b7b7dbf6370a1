import { familiesOf } from '../../../events/lead/person/families.ts'
import type { Erasable } from '../../../events/lead/person/person-wire.ts'
import { linksInWords, ownIdsOf } from '../../staff/leads/merge/links.ts'
import { counted } from '../../staff/leads/shown/labels.ts'

type ListedLead = Erasable['leads'][number]

/**
 * A lead that may be erased: whether it is, and the reason why it is in the list. `isOwn` is the lead that is shown, and those
 * that were merged into it.
 */
export type ErasableLead = ListedLead & {
  isIncluded: boolean
  isOwn: boolean
  /** The lead that decides for it: itself, or the one with which it was merged. */
  follows: string
  reason: string
}

/** The owner's choices: whether each lead is erased. */
export type Ticks = ReadonlyMap<string, boolean>

/** The title of a lead in the list: its name, with the company if that differs. */
export const titleOf = ({ name, company }: Pick<ListedLead, 'name' | 'company'>) =>
  company && company !== name ? `${name}, ${company}` : name

/**
 * The leads of a list, each with whether it is erased. The lead itself is, with those that were merged into it. Others
 * are if they have its address, unless the owner says otherwise: colleagues share a telephone. Leads that were merged
 * go together.
 */
export const chooseLeads = (leadId: string, { leads }: Pick<Erasable, 'leads'>, ticks: Ticks): ErasableLead[] => {
  const familyOf = familiesOf(leads)
  const ownIds = ownIdsOf(leadId, leads)
  const titles = new Map(leads.map((lead) => [lead.id, titleOf(lead)]))
  const hasOwnAddress = ({ links }: ListedLead) =>
    links.some(({ by, leadId: other }) => by === 'email' && ownIds.has(other))
  const staying = leads.filter((lead) => familyOf(lead.id)[0] === lead)
  return staying
    .toSorted((a, b) => Number(ownIds.has(b.id)) - Number(ownIds.has(a.id)))
    .flatMap((head) => {
      const family = familyOf(head.id)
      const isOwn = ownIds.has(head.id)
      const isIncluded = isOwn || (ticks.get(head.id) ?? family.some(hasOwnAddress))
      return family.map((lead) => ({
        ...lead,
        isIncluded,
        isOwn,
        follows: head.id,
        reason: lead.id === leadId ? 'This lead' : linksInWords(lead.links, { ownIds, titles }),
      }))
    })
}

/** The chats that are erased with the erased leads. */
export const includedChats = ({ chats }: Pick<Erasable, 'chats'>, leads: readonly ErasableLead[]) => {
  const included = leads.filter(({ isIncluded }) => isIncluded)
  const ids = new Set(included.map(({ id }) => id))
  const known = new Set(included.flatMap(({ addresses }) => addresses))
  return chats.filter(
    ({ leadIds, addresses }) => leadIds?.some((id) => ids.has(id)) || addresses?.some((address) => known.has(address)),
  )
}

const MAX_NAMED = 3

const REASONS = [
  ['email', 'with the same email'],
  ['phone', 'with the same phone'],
  ['chat', 'with the same email or phone in the chat'],
  ['earlier', 'with what this lead had before a correction'],
] as const

/** Describes the leads that stay though they have something in common with the erased ones. */
export const stayingInWords = (leads: readonly ErasableLead[]): string | undefined => {
  const remaining = leads.filter(({ isIncluded }) => !isIncluded)
  if (remaining.length === 0) return undefined
  const own = new Set(leads.flatMap(({ id, isOwn }) => (isOwn ? [id] : [])))
  const reasonOf = ({ links }: ErasableLead) =>
    REASONS.find(([by]) => links.some((link) => link.by === by && own.has(link.leadId)))?.[1] ?? 'related to those'
  const counts = [...Map.groupBy(remaining, reasonOf)].map(
    ([reason, some]) => `${counted(some.length, 'lead')} ${reason}`,
  )
  const names = [...new Set(remaining.map(titleOf))]
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const which = [counts.slice(0, -1).join(', '), counts.at(-1)].filter(Boolean).join(' and ')
  return `${which} ${remaining.length === 1 ? 'was' : 'were'} kept: ${names.slice(0, MAX_NAMED).join('; ')}${more}.`
}
