import { readStreams } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { evolveLead, type Lead, type LeadEvent, leadStreams } from '../lead.ts'
import {
  CONTACT_FIELDS,
  evolveMerge,
  type Member,
  type Merge,
  type MergeEvent,
  mergeStreams,
  openFamily,
} from '../person/merge.ts'
import { afterContacts, leadContactStreams } from '../reply/contact.ts'

/**
 * A lead by the log, up to its last event. `lead` has the fields that it shows, `own` those without the leads merged
 * into it; `events` are all of its stream, oldest first. `merge` is its own merge into another lead, the last of
 * `merges`, whose stream has the version `mergeVersion`. `contactOf` names, for each field that identifies the person,
 * the lead it comes from.
 */
export type KnownLead = {
  lead: Lead
  own: Lead
  events: LeadEvent[]
  merge: Merge | null
  merges: MergeEvent[]
  mergeVersion: number
  contactOf: Record<(typeof CONTACT_FIELDS)[number], string>
}

/** The log's events of leads, of unanswered calls, and of merges. */
const readMembers = async (sql: Sql, ids: readonly string[]) => {
  const [events, contacts, merged] = await Promise.all([
    readStreams(sql, ids.map(leadStreams.of)),
    readStreams(sql, ids.map(leadContactStreams.of)),
    readStreams(sql, ids.map(mergeStreams.of)),
  ])
  const eventsOf = Map.groupBy(events, ({ stream }) => leadStreams.idOf(stream))
  const contactsOf = Map.groupBy(contacts, ({ stream }) => leadContactStreams.idOf(stream))
  const mergesOf = Map.groupBy(merged, ({ stream }) => mergeStreams.idOf(stream))
  return ids.flatMap((id) => {
    const ofLead = eventsOf.get(id) ?? []
    const merges = mergesOf.get(id) ?? []
    const lead = ofLead.reduce<Lead | undefined>(evolveLead, undefined)
    if (!lead) return []
    const own = afterContacts(lead, contactsOf.get(id) ?? [])
    const merge = [...ofLead, ...merges].reduce<Merge | null>(evolveMerge, null)
    return [{ own, events: ofLead, merge, merges, mergeVersion: merges.at(-1)?.version ?? 0 }]
  })
}

/**
 * The leads of these ids, and those into which they were merged, from the log itself. Fields that they show from others
 * are included only if those are named too.
 */
export const readFamily = async (sql: Sql, ids: readonly string[]): Promise<Map<string, KnownLead>> => {
  const members = new Map<string, Omit<KnownLead, 'lead' | 'contactOf'>>()
  const wanted = new Set(ids)
  // a merge may be stored during the read: its target is read too, until there are no more
  for (let next = [...wanted]; next.length > 0; ) {
    const found = await readMembers(sql, next)
    for (const member of found) members.set(member.own.id, member)
    next = found.flatMap(({ merge }) => (merge && !wanted.has(merge.into) ? [merge.into] : []))
    for (const id of next) wanted.add(id)
  }
  const family = openFamily(members)
  const contactOf = (member: Member) =>
    Object.fromEntries(CONTACT_FIELDS.map((field) => [field, family.sourceOf(member, field)])) as KnownLead['contactOf']
  return new Map(
    [...members].map(([id, member]) => [id, { ...member, lead: family.shown(member), contactOf: contactOf(member) }]),
  )
}

/** Fails an append to some leads if one of them was merged, or unmerged, after this read. */
export const mergeGuards = (family: ReadonlyMap<string, KnownLead>) =>
  [...family].map(([id, { mergeVersion }]) => ({ stream: mergeStreams.of(id), version: mergeVersion }))
