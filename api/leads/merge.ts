import { changeFollowUp, type FollowUp, type leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { isUndoable, isUndone, undo } from '../../events/lead/follow-up-history.ts'
import { leadImportStreams, RUNNING_IMPORT_VERSION } from '../../events/lead/import/import.ts'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import {
  evolveMerge,
  followUpTakenFrom,
  leadsMerged,
  leadsUnmerged,
  type MergeField,
  mergeForm,
  mergeStreams,
} from '../../events/lead/person/merge.ts'
import { type KnownLead, readFamily } from '../../events/lead/store/family.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { isErased, lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { signedPriceOf } from '../contracts/contract.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { SEEN, seenVersion } from '../http/seen-version.ts'
import type { ApiNode } from '../node/node.ts'
import { assertStays, changeLead, staysGuard } from './change.ts'
import { readLead } from './known-lead.ts'

/** The id of the change by which the remaining lead takes over the follow-up of the merged one. */
const inheritedChangeId = (mergeId: string) => deterministicUuid('taken over by merge', mergeId)

const assertMergeable = ({ lead }: KnownLead) => {
  if (isErased(lead))
    throw new RequestError('conflict', 'This person has been erased: there is nothing to merge', {
      members: { isChanged: true },
    })
  if (!lead.suspicion) return
  throw new RequestError('conflict', 'One of the leads is in quarantine: mark it as not spam first')
}

const changedConcurrently = () =>
  new RequestError('conflict', 'Another person has changed one of these leads: review both, then merge them', {
    members: { isChanged: true },
  })

/** An import that is being undone removes its leads: nothing may be merged into one of them then. */
const importGuards = ({ events }: KnownLead) =>
  events.flatMap((event) =>
    event.type === 'LeadEntered' && event.data.importId
      ? [{ stream: leadImportStreams.of(event.data.importId), version: RUNNING_IMPORT_VERSION }]
      : [],
  )

type Merging = {
  stayingId: string
  mergedId: string
  seen: { staying: number; merged: number }
  takes: readonly MergeField[]
  staffId: string
}

/** Stores the merge, unless it is stored already because its author has repeated the request. Returns its id. */
const storeMerge = async (node: ApiNode, { stayingId, mergedId, seen, takes, staffId }: Merging) => {
  const { known, appended } = await handle(node.log, {
    read: async () => {
      const [staying, merged] = await Promise.all([readLead(node, stayingId), readLead(node, mergedId)])
      const guards = [
        { stream: leadStreams.of(staying.lead.id), version: staying.lead.version },
        { stream: leadStreams.of(merged.lead.id), version: merged.lead.version },
        staysGuard(staying),
        ...importGuards(staying),
      ]
      return { staying, merged, stream: mergeStreams.of(merged.lead.id), version: merged.mergeVersion, guards }
    },
    decide: ({ staying, merged }) => {
      if (merged.merge?.into === staying.lead.id) return undefined
      for (const one of [staying, merged]) {
        assertStays(one)
        assertMergeable(one)
      }
      if (staying.lead.version !== seen.staying || merged.lead.version !== seen.merged) throw changedConcurrently()
      return leadsMerged({ by: staffId, into: staying.lead.id, takes: [...takes] })
    },
  })
  const mergeId = appended?.id ?? known.merged.merge?.id
  if (mergeId === undefined) throw new Error('A merge was neither stored nor there')
  return { mergeId, merged: known.merged.lead, taken: known.merged.merge?.takes ?? takes }
}

type Inherited = { stayingId: string; mergeId: string; followUp: FollowUp; staffId: string }

/**
 * Changes the remaining lead by the chosen parts of the other, once; unless it has been merged into a third one since
 * then.
 */
const inheritFollowUp = async (node: ApiNode, { stayingId, mergeId, followUp, staffId }: Inherited) => {
  const id = inheritedChangeId(mergeId)
  try {
    await changeLead(node, stayingId, async ({ lead, events }) => {
      if (events.some((event) => event.id === id)) return undefined
      const agreed = followUp.followUpStatus === 'won' ? await signedPriceOf(node, events[0]) : undefined
      // the parts that were not chosen stay: the plan of a lost lead too
      const change = changeFollowUp({
        lead,
        change: { nextActionDate: lead.nextActionDate, ...followUp },
        staffId,
        now: new Date(),
        packages: node.settings.current.packages,
        agreed,
      })
      return change && { id, ...change }
    })
  } catch (error) {
    const { lead } = await readLead(node, stayingId)
    if (!lead.mergedInto) throw error
  }
}

/**
 * Merges a lead into this one, which remains. Then the remaining lead takes over the chosen parts of the other one's
 * follow-up; a process that dies in between leaves a merge that the next attempt finds. Returns the remaining lead;
 * `Event-Id` is the merge, by which it can be undone on the other.
 */
export const mergeLeads = route('POST', '/api/leads/:id/merge', {
  access: 'staff',
  summary: 'Merges another lead into this one, which stays',
  body: mergeForm,
  headers: SEEN,
  answer: lead,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: { mergedId, mergedVersion, takes } }) => {
    const staying = seenVersion(c)
    if (staying === undefined)
      throw new RequestError('precondition_required', 'Send If-Match with the version that you read, such as "3"')
    if (mergedId === leadId) throw invalidField('mergedId', 'Must be another lead')
    const staffId = c.get('staff').id
    const seen = { staying, merged: mergedVersion }
    const { mergeId, merged, taken } = await storeMerge(node, { stayingId: leadId, mergedId, seen, takes, staffId })
    await inheritFollowUp(node, { stayingId: leadId, mergeId, followUp: followUpTakenFrom(merged, taken), staffId })
    const { lead } = await readLead(node, leadId)
    // the view may not have the merge yet
    const ids = new Set([...(await familyIds(node.sql, lead.id)), merged.id])
    const shown = (await readFamily(node.sql, [...ids])).get(lead.id)?.lead ?? lead
    c.header('ETag', `"${shown.version}"`)
    c.header('Event-Id', mergeId)
    return shown
  },
})

/** Undoes the changes that the remaining lead had taken over, if they are still current. */
const undoInherited = async (
  node: ApiNode,
  { into, mergeId, staffId }: { into: string; mergeId: string; staffId: string },
) => {
  const known = await readLead(node, into).catch(() => undefined)
  if (!known || known.lead.mergedInto) return
  await changeLead(node, into, ({ events }) => {
    const change = events.find(({ id }) => id === inheritedChangeId(mergeId))
    if (!change || isUndone(change, events) || !isUndoable(change, events)) return undefined
    return undo(change, events, staffId) as ReturnType<typeof leadFollowUpChanged> | undefined
  })
}

/**
 * Undoes a merge, by its event: the lead is separate again. Returns the lead; undefined if the event is not a merge of
 * this lead. Has no effect on a merge that has already been undone.
 */
export const unmergeLead = async (
  node: ApiNode,
  { leadId, eventId, staffId }: { leadId: string; eventId: string; staffId: string },
): Promise<Lead | undefined> => {
  const found = await readLead(node, leadId)
  const event = [...found.events.slice(0, 1), ...found.merges].find(({ id }) => id === eventId)
  const merge = event && evolveMerge(null, event)
  if (!merge) return undefined
  await handle(node.log, {
    read: async () => {
      const known = await readLead(node, leadId)
      return { known, stream: mergeStreams.of(known.lead.id), version: known.mergeVersion }
    },
    decide: ({ known }) => (known.merge?.id === eventId ? leadsUnmerged({ by: staffId, mergeId: eventId }) : undefined),
  })
  await undoInherited(node, { into: merge.into, mergeId: eventId, staffId })
  return (await readLead(node, leadId)).lead
}
