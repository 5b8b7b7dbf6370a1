import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import { copyLink } from '../../events/contract/store/signed-copies.ts'
import { LogError } from '../../events/keys/errors.ts'
import { leadForm } from '../../events/lead/form/form.ts'
import { isContract } from '../../events/lead/form/kind.ts'
import { detectSpam, type SpamSignal, spamFields } from '../../events/lead/form/spam-signals.ts'
import type { SubmissionContext } from '../../events/lead/form/submission-context.ts'
import { sentTouches } from '../../events/lead/form/touch.ts'
import { submitWebsiteInfo, websiteInfoForm } from '../../events/lead/form/website-info.ts'
import { evolveLead, type Lead, type LeadEvent, leadStreams, submitLead } from '../../events/lead/lead.ts'
import * as wire from '../../events/lead/wire.ts'
import type { Guard } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { LimitName } from '../admission/limits.ts'
import { signingOf } from '../contracts/agreed-terms.ts'
import { validate } from '../http/body.ts'
import { RequestError } from '../http/errors.ts'
import { isFormPost } from '../http/media-type.ts'
import { limitAddresses, route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { followedContract } from './followed-contract.ts'

const MAX_KEY_CHARACTERS = 255

const idempotencyKey = (c: Context) => {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return randomUUID()
  if (key.length > 0 && key.length <= MAX_KEY_CHARACTERS) return key
  throw new RequestError('invalid', `An Idempotency-Key has 1 to ${MAX_KEY_CHARACTERS} characters`)
}

/** The limits over which a submission becomes a flagged lead. */
type TrustLimit = Extract<LimitName, `trusted_${string}`>

type Submission = ReturnType<typeof submitLead> | ReturnType<typeof submitWebsiteInfo>

/** The parts of a submission that may differ in a retry. */
const NOT_FILLED_IN = ['suspicion', 'firstTouch', 'lastTouch', 'terms', 'evidence', 'contractId']

/** The visitor's input, without the parts that may differ in a retry, such as spam signals and visit times. */
const filledIn = ({ type, data, personal }: { type: string; data: object; personal: object | null }) => {
  const fields = Object.entries({ ...data, ...personal })
  return {
    type,
    fields: Object.fromEntries(fields.filter(([name]) => !NOT_FILLED_IN.includes(name))),
  }
}

/**
 * Stores a submission as a new lead. One that was stored before with the same fields returns the stored event: a retry
 * that differs only in spam signals and visit times is not another submission. With other fields it is refused.
 */
const store = async (
  { log, sql }: ApiNode,
  leadId: string,
  read: () => Promise<{ submission: Submission; guards?: Guard[] }>,
): Promise<LeadEvent> => {
  const stream = leadStreams.of(leadId)
  const id = deterministicUuid('submission', leadId)
  let submission: Submission | undefined
  try {
    const { appended } = await handle(log, {
      read: async () => ({ ...(await read()), stream, version: 0 }),
      decide: (known) => {
        submission = known.submission
        return { id, ...submission }
      },
      readsGuards: true,
    })
    if (!appended) throw new Error('The log stored no submission')
    return appended
  } catch (error) {
    const isKnownKey = error instanceof LogError && error.code === 'event_id_reused'
    const [stored] = isKnownKey ? await readStream(sql, stream, { limit: 1 }) : []
    if (!stored || !submission || !isDeepStrictEqual(filledIn(stored), filledIn(submission))) throw error
    return stored
  }
}

/** A visitor does not learn that a submission is flagged: the response is as if it were not. */
const unflagged = <Event extends LeadEvent>(event: Event): Event => ({
  ...event,
  data: { ...event.data, suspicion: undefined },
})

/** The reasons to flag a submission; a person's is flagged if too many came from their address before. */
const spamSignalsOf = async (
  { admission }: ApiNode,
  { input, trust, address }: { input: unknown; trust: TrustLimit; address: string },
): Promise<SpamSignal[]> => {
  const signs = detectSpam(validate(spamFields, input))
  if (signs.length > 0) return signs
  return (await admission.hasRoom(trust, { address })) ? [] : ['over_limit']
}

/**
 * Appends a visitor's submission as a new lead, once per Idempotency-Key for any number of requests; a page without
 * script is redirected to the thank-you page. A flagged one is stored too, and its sender does not learn of it.
 */
export const submit = async <Form>(
  { node, c, body: form, input }: { node: ApiNode; c: Context; body: Form; input: unknown },
  {
    trust,
    submissionOf,
    signingOf,
    contractOf,
  }: {
    /** The limit on submissions that count as a person's. */
    trust: TrustLimit
    submissionOf: (about: { leadId: string; form: Form }, context: SubmissionContext) => Submission
    /** The terms and evidence of a contract; throws if its terms are not the current ones. */
    signingOf?: (about: { leadId: string; form: Form }) => Promise<SubmissionContext['signing']>
    /** The contract that a submission belongs to. A flagged one belongs to none. */
    contractOf?: (about: { form: Form; input: unknown }) => ReturnType<typeof followedContract>
  },
): Promise<Lead | Response> => {
  const address = clientAddress(node, c)
  const touches = validate(sentTouches, input)
  const spamSignals = await spamSignalsOf(node, { input, trust, address })
  const leadId = deterministicUuid('lead', c.req.path, idempotencyKey(c))
  const signing = await signingOf?.({ leadId, form })
  const stored = await store(node, leadId, async () => {
    const contract = spamSignals.length === 0 ? await contractOf?.({ form, input }) : undefined
    const context = { touches, spamSignals, signing, contractId: contract?.contractId }
    return { submission: submissionOf({ leadId, form }, context), guards: contract ? [contract.guard] : [] }
  })
  if (isFormPost(c)) return c.redirect('/thanks', 303)
  const lead = evolveLead(undefined, unflagged(stored))
  if (!lead) throw new Error(`${stored.type} starts no lead`)
  const isSigned = stored.type === 'LeadSubmitted' && stored.data.terms !== undefined
  return isSigned ? { ...lead, contractCopy: copyLink(node.config.signingKeys, leadId) } : lead
}

const IDEMPOTENCY = { 'Idempotency-Key': 'The same key stores one submission, and returns it again.' }

export const submissionRoutes = [
  route('POST', '/api/leads', {
    access: 'anyone',
    summary: 'Submits a lead, as the website’s forms do',
    body: leadForm,
    acceptsForms: true,
    limit: limitAddresses('forms'),
    answer: wire.lead,
    status: 201,
    headers: IDEMPOTENCY,
    handler: (call) =>
      submit(call, {
        trust: isContract(call.body.leadSource) ? 'trusted_contracts' : 'trusted_forms',
        submissionOf: submitLead,
        signingOf: (about) => signingOf({ ...call, ...about }),
      }),
  }),
  route('POST', '/api/submit-website-info', {
    access: 'anyone',
    summary: 'Submits the questionnaire about a website',
    body: websiteInfoForm,
    acceptsForms: true,
    limit: limitAddresses('forms'),
    answer: wire.submittedWebsiteInfo,
    status: 201,
    headers: IDEMPOTENCY,
    handler: async (call) => {
      const lead = await submit(call, {
        trust: 'trusted_forms',
        submissionOf: submitWebsiteInfo,
        contractOf: (about) => followedContract(call.node, about),
      })
      return lead instanceof Response ? lead : { success: true as const, leadId: lead.id }
    },
  }),
]
