/**
 * Staff merge two leads of one person: one stays, the other goes into it. Nothing is copied. The merge says which fields
 * the lead that stays shows of the other one, so that to unmerge them is to forget the merge, and to erase either is
 * enough. The lead that has gone keeps its stream, its history and its address, which leads to the one that stays.
 *
 * A merge is an event in a stream of its own, that of the lead that goes. It relies on the
 * versions of both leads that its author saw, and on that the one that stays has not gone itself. So no two merges make
 * a circle, and a change of a lead that goes at that moment is refused.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { givenId } from '../base/text.ts'
import { withCalls } from './contact.ts'
import type { FollowUp } from './follow-up.ts'
import { isContract } from './kind.ts'
import type { Lead } from './lead.ts'
import { referenceOf } from './reference.ts'
import { searchedText } from './searched.ts'
import { isErased } from './wire.ts'

const id = v.pipe(v.string(), v.uuid('Must be a UUID'))

/** What tells who somebody is: the lead that stays may show it of the other one. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'businessName'] as const

/** What somebody asks for: the lead that stays may show it of the other one. */
export const REQUEST_FIELDS = ['package', 'timeline'] as const

/** All that a lead may show of another one. */
export const SHOWN_FIELDS = [...CONTACT_FIELDS, ...REQUEST_FIELDS] as const

/** How staff stand with a lead: taken over by a change of the lead that stays. */
const FOLLOW_UP_FIELDS = ['followUpStatus', 'ownerId', 'projectValue', 'nextActionDate'] as const

/** All that one chooses of the two. */
export const MERGE_FIELDS = [...SHOWN_FIELDS, ...FOLLOW_UP_FIELDS] as const

export type MergeField = (typeof MERGE_FIELDS)[number]

/** Fields, each once. */
const fields = v.pipe(
  v.array(v.picklist(MERGE_FIELDS)),
  v.transform((taken) => MERGE_FIELDS.filter((field) => taken.includes(field))),
)

/**
 * The body of `POST /api/leads/:id/merge`: the lead that goes, its version as its author saw it, and the fields that are
 * taken from it.
 */
export const mergeForm = v.strictObject({
  mergedId: givenId(),
  mergedVersion: v.pipe(v.number(), v.integer(), v.minValue(1)),
  takes: fields,
})

/** Staff merged a lead into another one, which shows these fields of it. */
export const leadsMerged = defineEvent({
  type: 'LeadsMerged',
  schemaVersion: 1,
  data: v.object({ by: id, into: id, takes: v.array(v.picklist(MERGE_FIELDS)) }),
  personal: null,
})

/** Staff took a merge back, which is named by its event. */
export const leadsUnmerged = defineEvent({
  type: 'LeadsUnmerged',
  schemaVersion: 1,
  data: v.object({ by: id, mergeId: id }),
  personal: null,
})

export type MergeEvent = RecordedEvent<typeof leadsMerged> | RecordedEvent<typeof leadsUnmerged>

/** A stream a lead, of its merges into others. */
export const mergeStreams = defineStreams<MergeEvent>('merge-of-lead-')

/** Whether an event is a merge of a lead, or takes one back. */
export const isMergeEvent = <E extends { stream: string }>(event: E): event is E & MergeEvent =>
  mergeStreams.idOf(event.stream) !== undefined

/** The merge of a lead that has gone: its event, by id and position, and into which lead. */
export type Merge = { id: string; position: number; into: string; takes: readonly MergeField[] }

/** The merge that holds after an event of its stream; null where none does. */
export const evolveMerge = (_: Merge | null, { type, id: eventId, position, data }: MergeEvent): Merge | null =>
  type === 'LeadsMerged' ? { id: eventId, position, into: data.into, takes: data.takes } : null

/** A lead by its own stream, and the merge by which it has gone. */
export type Member = { own: Lead; merge: Merge | null }

const childrenOf = (members: Iterable<Member>) =>
  Map.groupBy(
    [...members].filter(({ merge }) => merge).toSorted((a, b) => (a.merge?.position ?? 0) - (b.merge?.position ?? 0)),
    ({ merge }) => merge?.into ?? '',
  )

/** A lead without a word of whether it has gone. */
export const withoutMerge = ({ mergedInto: _, ...own }: Lead): Lead => own

/** What a lead may show of others: what somebody signed stays as it was signed. */
const shownBy = ({ leadSource }: Lead) => (isContract(leadSource) ? CONTACT_FIELDS : SHOWN_FIELDS)

const pickShown = (from: Lead, fields: readonly (keyof Lead)[]): Partial<Lead> =>
  // by empty ones a lead would look erased
  Object.fromEntries(fields.flatMap((field) => (from[field] ? [[field, from[field]]] : [])))

/** What leads show, by those that have been merged into them; `members` have all of these. */
export const openFamily = (members: ReadonlyMap<string, Member>) => {
  const children = childrenOf(members.values())

  const shown = (member: Member): Lead => {
    const { merge } = member
    const own = withoutMerge(member.own)
    // a lead that is none any more takes nobody with it
    const gone = merge && members.has(merge.into) ? { mergedInto: merge.into } : {}
    if (isErased(own)) return { ...own, ...gone }
    const others = (children.get(own.id) ?? []).map((child) => ({
      lead: shown(child),
      takes: shownBy(own).filter((field) => child.merge?.takes.includes(field)),
    }))
    const taken = others.map(({ lead, takes }) => (isErased(lead) ? {} : pickShown(lead, takes)))
    const calls = [own, ...others.map(({ lead }) => lead)].flatMap(({ unansweredCalls = [] }) => unansweredCalls)
    const inOrder = calls.toSorted((one, other) => one.timestamp.localeCompare(other.timestamp))
    return withCalls(Object.assign({ ...own, ...gone }, ...taken), inOrder)
  }

  /** The lead that a member shows this field of: itself, or one that was merged into it. */
  const sourceOf = (member: Member, field: MergeField): string => {
    if (isErased(member.own)) return member.own.id
    const source = (children.get(member.own.id) ?? []).findLast((child) => {
      const lead = shown(child)
      return child.merge?.takes.includes(field) && !isErased(lead) && lead[field]
    })
    return source ? sourceOf(source, field) : member.own.id
  }

  const below = (leadId: string): Lead[] => (children.get(leadId) ?? []).flatMap(({ own }) => [own, ...below(own.id)])

  return {
    shown,
    sourceOf,
    /** Whether others have been merged into a lead. */
    hasOthers: (leadId: string) => children.has(leadId),
    /** What a lead is found by: also by what it and the others had before. */
    searched: (member: Member): string =>
      [shown(member), member.own, ...below(member.own.id)]
        .flatMap((lead) => [
          searchedText(lead),
          ...(lead.id === member.own.id ? [] : [referenceOf(lead.id).toLowerCase(), lead.id.slice(0, 8)]),
        ])
        .filter((text, index, all) => text && all.indexOf(text) === index)
        .join('\n'),
  }
}

/** What is taken over of how staff stand with the lead that goes; a lead that is won brings its day. */
export const takenFollowUp = (other: Lead, takes: readonly MergeField[]): FollowUp => {
  const wanted = FOLLOW_UP_FIELDS.filter((field) => takes.includes(field))
  const day = wanted.includes('followUpStatus') ? { conversionDate: other.conversionDate } : {}
  return { ...Object.fromEntries(wanted.map((field) => [field, other[field]])), ...day }
}
