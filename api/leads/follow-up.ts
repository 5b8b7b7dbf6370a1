import { randomUUID } from 'node:crypto'
import type { Sent } from '../../events/base/word.ts'
import {
  changeFollowUp,
  type FollowUp,
  followUpForm,
  leadNoteAdded,
  noteForm,
} from '../../events/lead/follow-up/follow-up.ts'
import { changesMissed } from '../../events/lead/follow-up-history.ts'
import type { LeadEvent } from '../../events/lead/lead.ts'
import { holdsErasure } from '../../events/lead/lead.ts'
import { timelineEntry } from '../../events/lead/person/person-wire.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { lead, type leadConflict } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { leadEntries } from '../../events/timeline.ts'
import { signedPriceOf } from '../contracts/contract.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { SEEN, seenVersion } from '../http/seen-version.ts'
import type { ApiNode } from '../node/node.ts'
import { colleagues, staffNames } from '../staff/staff.ts'
import { changeLead } from './change.ts'

const requireKnownOwner = async ({ sql }: ApiNode, { ownerId }: FollowUp) => {
  if (!ownerId || (await colleagues(sql)).some(({ id }) => id === ownerId)) return
  throw invalidField('ownerId', 'Must be a staff member')
}

const hasBeenErased = (so: string) => new RequestError('conflict', `This person has been erased: ${so}`)

/**
 * The error for a change that conflicts with one its author has not seen: with the current lead, and the author of each
 * change.
 */
export const missed = async (
  { sql }: ApiNode,
  { lead }: Pick<KnownLead, 'lead'>,
  changes: { event: LeadEvent; change: object }[],
) => {
  const names = await staffNames(sql)
  return new RequestError('conflict', 'Another person has changed this lead: choose which version to keep', {
    members: {
      lead,
      changes: changes.map(({ event: { id, recordedAt, data }, change }) => ({
        id,
        by: ('by' in data && data.by && names.get(data.by)) || null,
        timestamp: recordedAt.toISOString(),
        data: { ...data, ...change },
      })),
    } satisfies Sent<typeof leadConflict>,
  })
}

/** The requested change, without overwriting a next action that a colleague planned and its author has not seen. */
const withUnseenPlan = (known: KnownLead, request: Parameters<typeof changesMissed>[1]): FollowUp => {
  const isUnseen = changesMissed(known, { ...request, change: { nextActionDate: null } }).length > 0
  return isUnseen ? { nextActionDate: known.lead.nextActionDate, ...request.change } : request.change
}

/**
 * Changes a lead's status, owner, dates or value. The response's `Event-Id` is the change, by which it can be undone;
 * there is none if the lead already had these values.
 */
export const changeFollowUpOf = route('PATCH', '/api/leads/:id', {
  access: 'staff',
  scope: 'leads:write',
  summary: 'Changes status, owner, next action, value or day of conversion',
  body: followUpForm,
  answer: lead,
  mayConflict: true,
  headers: SEEN,
  handler: async ({ node, c, params, body: change }) => {
    await requireKnownOwner(node, change)
    const staffId = c.get('caller').id
    const request = { change, staffId, seenVersion: seenVersion(c) ?? Number.POSITIVE_INFINITY }
    const { lead, appended } = await changeLead(node, params.id, async (known) => {
      if (holdsErasure(known.events)) throw hasBeenErased('their follow-up can no longer be changed')
      const changes = changesMissed(known, request)
      if (changes.length > 0) throw await missed(node, known, changes)
      const { packages } = node.settings.current
      const planned = withUnseenPlan(known, request)
      const agreed = change.followUpStatus === 'won' ? await signedPriceOf(node, known.events[0]) : undefined
      return changeFollowUp({ lead: known.lead, change: planned, staffId, now: new Date(), packages, agreed })
    })
    c.header('ETag', `"${lead.version}"`)
    if (appended) c.header('Event-Id', appended.id)
    return lead
  },
})

/** Stores a note, once per Idempotency-Key, and returns its entry in the timeline. */
export const addNote = route('POST', '/api/leads/:id/notes', {
  access: 'staff',
  scope: 'leads:write',
  summary: 'Adds a note',
  body: noteForm,
  answer: timelineEntry,
  status: 201,
  handler: async ({ node, c, params: { id: leadId }, body: personal }) => {
    const staffId = c.get('caller').id
    const key = c.req.header('idempotency-key')
    const id = key ? deterministicUuid('note', leadId, staffId, key) : randomUUID()
    const { events } = await changeLead(node, leadId, ({ lead, events }) => {
      if (!holdsErasure(events)) {
        return { id, ...leadNoteAdded({ by: staffId }, { subjectId: lead.id, personal }) }
      }
      throw hasBeenErased('notes can no longer be added')
    })
    const entry = leadEntries(events, await staffNames(node.sql)).find((each) => each.id === id)
    if (!entry) throw new Error('A note was neither stored nor there')
    return entry
  },
})
