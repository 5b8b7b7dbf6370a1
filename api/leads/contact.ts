import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { leadNoteAdded, noteForm } from '../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { contactForm, leadContacted } from '../../events/lead/reply/answer.ts'
import { leadCallUnanswered, leadContactStreams } from '../../events/lead/reply/contact.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { validate } from '../http/body.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { readAnswerable, storeAnswer } from './answer.ts'
import { changeLead, staysGuard } from './change.ts'
import { readLead } from './known-lead.ts'

/** Notes that staff have called without reaching the person: the lead continues to wait. Once per Idempotency-Key. */
const noteUnanswered = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  { known, to, at }: { known: KnownLead; to: string; at: string | undefined },
) => {
  const { lead } = known
  const by = c.get('staff').id
  await node.admission.admit('lead_answers', { account: by })
  const id = deterministicUuid('unanswered call', lead.id, by, c.req.header('idempotency-key') ?? randomUUID())
  await handle(node.log, {
    read: () => ({ stream: leadContactStreams.of(to), version: 'any' as const, guards: [staysGuard(known)] }),
    decide: () => ({
      id,
      ...leadCallUnanswered({ leadId: to, by, ...(at && { at }) }, { subjectId: to, personal: { to: lead.phone } }),
    }),
  })
  const { lead: called } = await readLead(node, lead.id)
  c.header('ETag', `"${called.version}"`)
  c.header('Event-Id', id)
  return called
}

/** Notes that staff have written an email in their own program, which is a reply. Once per Idempotency-Key. */
const noteOwnEmail = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  { lead, text, at }: { lead: Lead; text: string | null; at: string | undefined },
) => {
  const by = c.get('staff').id
  const personal = validate(noteForm, { note: ['Wrote an email in own program', text].filter(Boolean).join(': ') })
  await node.admission.admit('lead_answers', { account: by })
  const id = deterministicUuid('own email', lead.id, by, c.req.header('idempotency-key') ?? randomUUID())
  const data = { by, answerId: id, ...(at && { answeredAt: at }) }
  await changeLead(node, lead.id, (known) =>
    known.events.some((event) => event.id === id)
      ? undefined
      : { id, ...leadNoteAdded(data, { subjectId: known.lead.id, personal }) },
  )
  const { lead: answered } = await readLead(node, lead.id)
  c.header('ETag', `"${answered.version}"`)
  c.header('Event-Id', id)
  return answered
}

/**
 * The time of something that is noted later; undefined for something that has just happened. A lead cannot be answered
 * before it came.
 */
export const momentBefore = (
  secondsAgo: number | undefined,
  { timestamp }: Pick<Lead, 'timestamp'>,
  now = Date.now(),
): string | undefined => {
  if (!secondsAgo) return undefined
  const at = new Date(now - secondsAgo * 1_000).toISOString()
  return at > timestamp ? at : timestamp
}

/**
 * Notes that staff have written to the person of a lead by WhatsApp or in their own mail program, or called them. A
 * call that did not reach them is not a reply. The response's `Event-Id` is the note, by which it can be undone.
 */
export const noteContact = route('POST', '/api/leads/:id/contacts', {
  access: 'staff',
  summary: 'Notes an answer by WhatsApp, telephone or one’s own mail program',
  body: contactForm,
  answer: lead,
  status: 201,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: { channel, text, isReached = true, secondsAgo } }) => {
    if (!isReached && channel !== 'call') throw invalidField('isReached', 'Only a call can be logged without an answer')
    const known = await readAnswerable(node, leadId)
    const { lead } = known
    const at = momentBefore(secondsAgo, lead)
    if (channel === 'email') {
      if (!lead.email) throw new RequestError('conflict', 'This lead has no email address')
      return await noteOwnEmail(node, c, { lead, text, at })
    }
    if (!lead.phone) throw new RequestError('conflict', 'This lead has no telephone number')
    const to = known.contactOf.phone
    if (!isReached) return await noteUnanswered(node, c, { known, to, at })
    return await storeAnswer(node, c, { known, to, channel, answeredAt: at }, (staffId) =>
      leadContacted(
        { leadId: to, channel, by: staffId, ...(at && { at }) },
        { subjectId: to, personal: { to: lead.phone, text } },
      ),
    )
  },
})
