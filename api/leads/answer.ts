import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { holdsErasure } from '../../events/follow-up-history.ts'
import { answerEmailForm, leadAnswerStreams, type leadContacted, leadEmailWritten } from '../../events/lead-answer.ts'
import { changesByAnswer } from '../../events/log/answer-changes.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import type { KnownLead } from '../../events/log/lead-family.ts'
import { readEvent } from '../../events/log/read.ts'
import { readAnswers } from '../../events/projections/given-answers.ts'
import { lead } from '../../events/wire/lead.ts'
import { RequestError } from '../errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { assertStays, changeLead, readLead, staysGuard } from './change.ts'

/** Throws where a lead was merged into another one, erased, or flagged: nobody may write to its person. */
export const assertAnswerable = (known: Pick<KnownLead, 'lead' | 'events'>) => {
  assertStays(known)
  if (holdsErasure(known.events)) {
    throw new RequestError('conflict', 'This person has been erased: you can no longer write to them')
  }
  if (!known.lead.suspicion) return
  throw new RequestError('conflict', 'This lead is in quarantine: mark it as not spam first')
}

/** The lead, where somebody may write to its person. */
export const readAnswerable = async (node: ApiNode, leadId: string): Promise<KnownLead> => {
  const known = await readLead(node, leadId)
  assertAnswerable(known)
  return known
}

/** Changes in a lead what an answer to it changes. An email that has come back by then stops no clock. */
const followAnswer = async (
  node: ApiNode,
  leadId: string,
  { to, ...answer }: { to: string; answerId: string; by: string; answeredAt: string | undefined },
) => {
  const { failed } = await readAnswers(node.sql, [to])
  await changeLead(node, leadId, ({ lead }) => {
    const { followUpStatus, ownerId } = lead
    const standing = failed.has(answer.answerId) && followUpStatus === 'new' ? 'contacted' : followUpStatus
    const [change, ...others] = changesByAnswer({ followUpStatus: standing, ownerId }, answer)
    return change && [change, ...others]
  })
}

/**
 * Stores an answer to a lead among those of the lead whose address or number it goes to (`to`): it is that person's,
 * and is erased with them. Of a merged lead that may be another one. It is stored once for an Idempotency-Key, then the
 * lead's clock stops: a process that dies in between leaves an answer that the next try finds. `answeredAt` is when it was
 * given, ISO 8601, where it is stored later. Answers the lead; `Event-Id` is the answer.
 */
export const storeAnswer = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  { known, to, answeredAt }: { known: KnownLead; to: string; answeredAt?: string | undefined },
  eventOf: (staffId: string) => ReturnType<typeof leadEmailWritten | typeof leadContacted>,
) => {
  const { lead } = known
  const staffId = c.get('staff').id
  await node.admission.admit('lead_answers', { account: staffId })
  const answerId = deterministicUuid('answer', lead.id, staffId, c.req.header('idempotency-key') ?? randomUUID())
  const stream = leadAnswerStreams.of(to)
  const stored = await readEvent(node.sql, answerId)
  // a try whose answer got lost has gone to another lead of the family, as it was merged then
  if (!stored || stored.stream === stream) {
    await handle(node.log, {
      read: () => ({ stream, version: 'any' as const, guards: [staysGuard(known)] }),
      decide: () => ({ id: answerId, ...eventOf(staffId) }),
    })
  }
  await followAnswer(node, lead.id, { to, answerId, by: staffId, answeredAt })
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
    if (node.config.reachesPeople === false) {
      throw new RequestError('conflict', 'This site has no mail server for emails to people: SMTP_URL is not set')
    }
    const to = known.contactOf.email
    return await storeAnswer(node, c, { known, to }, (staffId) =>
      leadEmailWritten({ leadId: to, by: staffId }, { subjectId: to, personal: { to: lead.email, ...written } }),
    )
  },
})
