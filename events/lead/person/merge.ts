/**
 * Staff merge two leads of one person: one stays, the other is merged into it. Nothing is copied. The merge lists which
 * fields of the other one the lead that stays shows; to unmerge is to drop the merge. If one of them is erased alone, the
 * other one is separate again.
 * The merged lead keeps its stream, its history and its address, which redirects to the one that stays.
 *
 * A merge is an event in a stream of its own, that of the merged lead. It is guarded by the versions of both leads that
 * its author saw, and by the one that stays not being merged itself. So no two merges make a circle, and a change of a
 * lead that is merged at that moment is refused. A questionnaire that follows a contract is merged into its lead by its
 * own first event.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { referenceOf } from '../../base/reference.ts'
import { givenId } from '../../base/text.ts'
import type { FollowUp } from '../follow-up/follow-up.ts'
import { isContract } from '../form/kind.ts'
import type { Lead, LeadEvent } from '../lead.ts'
import { withCalls } from '../reply/contact.ts'
import { searchedText } from '../search/searched.ts'
import { isErased } from '../wire.ts'

const id = v.pipe(v.string(), v.uuid('Must be a UUID'))

/** The fields that identify a person: the lead that stays may show them from the other one. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'businessName'] as const

/** The fields of a request: the lead that stays may show them from the other one. */
export const REQUEST_FIELDS = ['package', 'timeline'] as const

/** All that a lead may show of another one. */
export const SHOWN_FIELDS = [...CONTACT_FIELDS, ...REQUEST_FIELDS] as const

/** The fields of follow-up: taken over by a change of the lead that stays. */
const FOLLOW_UP_FIELDS = ['followUpStatus', 'ownerId', 'projectValue', 'nextActionDate'] as const

/** All that one chooses of the two. */
export const MERGE_FIELDS = [...SHOWN_FIELDS, ...FOLLOW_UP_FIELDS] as const

export type MergeField = (typeof MERGE_FIELDS)[number]

/** A list of distinct fields. */
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

/** One stream per lead, of its merges into others. */
export const mergeStreams = defineStreams<MergeEvent>('merge-of-lead-')

/** Whether an event is a merge of a lead, or undoes one. */
export const isMergeEvent = <E extends { stream: string }>(event: E): event is E & MergeEvent =>
  mergeStreams.idOf(event.stream) !== undefined

/** The merge of a lead that has gone: its event, by id and position, and into which lead. */
export type Merge = { id: string; position: number; into: string; takes: readonly MergeField[] }

/** The valid merge after an event of the lead or of its merges; null if there is none. */
export const evolveMerge = (merge: Merge | null, event: LeadEvent | MergeEvent): Merge | null => {
  const { id: eventId, position } = event
  switch (event.type) {
    case 'LeadsMerged':
      return { id: eventId, position, into: event.data.into, takes: event.data.takes }
    case 'WebsiteInfoSubmitted':
      return event.data.contractId ? { id: eventId, position, into: event.data.contractId, takes: [] } : null
    case 'LeadsUnmerged':
      return null
    default:
      return merge
  }
}

/** A lead by its own stream, and its merge into another one. */
export type Member = { own: Lead; merge: Merge | null }

const childrenOf = (members: Iterable<Member>) =>
  Map.groupBy(
    [...members].filter(({ merge }) => merge).toSorted((a, b) => (a.merge?.position ?? 0) - (b.merge?.position ?? 0)),
    ({ merge }) => merge?.into ?? '',
  )

/** A lead without the merge field. */
export const withoutMerge = ({ mergedInto: _, ...own }: Lead): Lead => own

/** The fields a lead may show from others: a signed contract stays as it was signed. */
const shownBy = ({ leadSource }: Lead) => (isContract(leadSource) ? CONTACT_FIELDS : SHOWN_FIELDS)

const pickShown = (from: Lead, fields: readonly (keyof Lead)[]): Partial<Lead> =>
  // with empty ones a lead would look erased
  Object.fromEntries(
    fields
      .filter((field) => from[field])
      .flatMap((field) => (field === 'phone' ? ([field, 'phoneLinks'] as const) : [field]))
      .map((field) => [field, from[field]]),
  )

/** The leads with the fields they show from those merged into them; `members` includes all of these. */
export const openFamily = (members: ReadonlyMap<string, Member>) => {
  const children = childrenOf(members.values())

  const shown = (member: Member): Lead => {
    const { merge } = member
    const own = withoutMerge(member.own)
    // a withdrawn or an erased lead does not hide the leads merged into it
    const into = merge && members.get(merge.into)
    const gone = into && !isErased(into.own) ? { mergedInto: into.own.id } : {}
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
    /** The text that a lead is found by: it includes earlier values of it and the others. */
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

/** The follow-up that is taken over from the merged lead; a won lead brings its conversion date. */
export const followUpTakenFrom = (other: Lead, takes: readonly MergeField[]): FollowUp => {
  const wanted = FOLLOW_UP_FIELDS.filter((field) => takes.includes(field))
  const day = wanted.includes('followUpStatus') ? { conversionDate: other.conversionDate } : {}
  return { ...Object.fromEntries(wanted.map((field) => [field, other[field]])), ...day }
}
