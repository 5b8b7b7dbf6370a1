import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { leadAnswered, leadAnswerFailed } from '../../events/lead/follow-up/answered.ts'
import { holdsErasure } from '../../events/lead/lead.ts'
import {
  answerEmailForm,
  isFinalFailure,
  leadAnswerStreams,
  type leadContacted,
  leadEmailWritten,
} from '../../events/lead/reply/answer.ts'
import { answeredId, outcomeId } from '../../events/lead/store/answer-ids.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readEvent, readStreams } from '../../events/log/read.ts'
import { waysOf } from '../email/ways.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { assertStays, changeLead, staysGuard } from './change.ts'
import { readLead } from './known-lead.ts'

/** Throws if a lead was merged into another one, erased or flagged: nothing may be written to its person. */
export const assertAnswerable = (known: Pick<KnownLead, 'lead' | 'events'>) => {
  assertStays(known)
  if (holdsErasure(known.events)) {
    throw new RequestError('conflict', 'This person has been erased: you can no longer write to them')
  }
  if (!known.lead.suspicion) return
  throw new RequestError('conflict', 'This lead is in quarantine: mark it as not spam first')
}

/** Returns the lead if staff may write to its person; throws otherwise. */
export const readAnswerable = async (node: ApiNode, leadId: string): Promise<KnownLead> => {
  const known = await readLead(node, leadId)
  assertAnswerable(known)
  return known
}

type Answer = { answerId: string; channel: 'email' | 'whatsapp' | 'call'; by: string; at: string }

/** Counts a reply, once. An email that has failed by then does not count: a worker may have checked before. */
const countAnswer = async (node: ApiNode, leadId: string, { to, ...answer }: Answer & { to: string }) => {
  const { answerId, channel } = answer
  const add = (event: { id: string } & ReturnType<typeof leadAnswered | typeof leadAnswerFailed>) =>
    changeLead(node, leadId, ({ events }) => (events.some(({ id }) => id === event.id) ? undefined : event))
  await add({ id: answeredId(answerId), ...leadAnswered(answer) })
  if (channel !== 'email') return
  const outcomes = await readStreams(node.sql, [leadAnswerStreams.of(to)], { types: ['EmailFailed'] })
  const failure = outcomes.find((outcome) => outcome.data.emailId === answerId && isFinalFailure(outcome))
  if (failure) await add({ id: outcomeId(failure.id), ...leadAnswerFailed({ answerId }) })
}

/**
 * Stores a reply to a lead in the stream of the lead whose address or number it goes to (`to`): it is that person's,
 * and is erased with them. For a merged lead that may be another lead. The reply is stored once per Idempotency-Key and
 * then counted: a process that dies in between leaves a reply that the next attempt finds. `answeredAt` is the time of
 * the reply, ISO 8601, if it is stored later. Returns the lead; `Event-Id` is the reply.
 */
export const storeAnswer = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  {
    known,
    to,
    channel,
    answeredAt,
  }: { known: KnownLead; to: string; channel: Answer['channel']; answeredAt?: string | undefined },
  eventOf: (staffId: string) => ReturnType<typeof leadEmailWritten | typeof leadContacted>,
) => {
  const { lead } = known
  const by = c.get('staff').id
  await node.admission.admit('lead_answers', { account: by })
  const answerId = deterministicUuid('answer', lead.id, by, c.req.header('idempotency-key') ?? randomUUID())
  const stream = leadAnswerStreams.of(to)
  let stored = await readEvent(node.sql, answerId)
  // an earlier attempt may have gone to another lead of the family, as it was merged then
  if (!stored || stored.stream === stream) {
    const { appended } = await handle(node.log, {
      read: () => ({ stream, version: 'any' as const, guards: [staysGuard(known)] }),
      decide: () => ({ id: answerId, ...eventOf(by) }),
    })
    stored = appended
  }
  const at = answeredAt ?? (stored?.recordedAt ?? new Date()).toISOString()
  await countAnswer(node, lead.id, { to, answerId, channel, by, at })
  const { lead: answered } = await readLead(node, lead.id)
  c.header('ETag', `"${answered.version}"`)
  c.header('Event-Id', answerId)
  return answered
}

/** Sends an email to the lead's own address. Its outcome is in the timeline. */
export const emailLead = route('POST', '/api/leads/:id/emails', {
  access: 'staff',
  summary: 'Answers a lead by email',
  body: answerEmailForm,
  answer: lead,
  status: 201,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: written }) => {
    const known = await readAnswerable(node, leadId)
    const { lead } = known
    if (!lead.email) throw new RequestError('conflict', 'This lead has no email address')
    if (waysOf(node).reachesPeople === false) {
      throw new RequestError(
        'conflict',
        'This site has no mail server for emails to people: an owner sets it in the settings',
      )
    }
    const to = known.contactOf.email
    return await storeAnswer(node, c, { known, to, channel: 'email' }, (staffId) =>
      leadEmailWritten({ leadId: to, by: staffId }, { subjectId: to, personal: { to: lead.email, ...written } }),
    )
  },
})
