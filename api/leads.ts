import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Context, Hono } from 'hono'
import { stream } from 'hono/streaming'
import * as v from 'valibot'
import type { AnyRecordedEvent } from '../events/catalogue.ts'
import type { Circumstances } from '../events/circumstances.ts'
import { changeFollowUp, followUpForm } from '../events/follow-up.ts'
import { evolveLead, type Lead, type LeadEvent, leadForm, leadStream, releaseLead, submitLead } from '../events/lead.ts'
import { LogError } from '../events/log/errors.ts'
import { idFromKey } from '../events/log/event-id.ts'
import { readEvent, readStream } from '../events/log/read.ts'
import { listLeads } from '../events/projections/leads.ts'
import { spamSigns, suspect } from '../events/suspicion.ts'
import { sentTouches } from '../events/touch.ts'
import type { submitWebsiteInfo } from '../events/website-info.ts'
import { readBody, readInput, validate } from './body.ts'
import { RequestError } from './errors.ts'
import { exportLeads } from './leads-export.ts'
import { cursorOf, type LeadQuery, leadQuery } from './leads-query.ts'
import { streamLeads } from './leads-stream.ts'
import { isFormPost } from './media-type.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv, staffNames } from './staff.ts'

const MAX_KEY_CHARACTERS = 255
const PAGE_LEADS = 1_000
const MAX_CHANGE_TRIES = 5

const idempotencyKey = (c: Context) => {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return randomUUID()
  if (key.length > 0 && key.length <= MAX_KEY_CHARACTERS) return key
  throw new RequestError('invalid', `An Idempotency-Key has 1 to ${MAX_KEY_CHARACTERS} characters`)
}

type Submission = ReturnType<typeof submitLead> | ReturnType<typeof submitWebsiteInfo>

/** What a visitor filled in, without what only tells how: a retry comes later, and so may look less suspicious. */
const filledIn = ({ type, data, personal }: Pick<AnyRecordedEvent, 'type' | 'data' | 'personal'>) => {
  const fields = Object.entries({ ...data, ...personal })
  return {
    type,
    fields: Object.fromEntries(fields.filter(([name]) => !['suspicion', 'firstTouch', 'lastTouch'].includes(name))),
  }
}

/** Appends a submission; one that was stored before with the same fields is answered as it was stored then. */
const store = async ({ log, sql }: ApiNode, stream: string, event: Submission & { id: string }): Promise<LeadEvent> => {
  try {
    const { events } = await log.append({ stream, expectedVersion: 0, events: [event] })
    const [stored] = events
    return { ...event, ...stored, stream, schemaVersion: 1 } as LeadEvent
  } catch (error) {
    const isKnownKey = error instanceof LogError && error.code === 'event_id_reused'
    const stored = isKnownKey ? await readEvent(sql, event.id) : undefined
    if (!stored || !isDeepStrictEqual(filledIn(stored), filledIn(event as AnyRecordedEvent))) throw error
    return stored as LeadEvent
  }
}

/**
 * Appends what a visitor has submitted as a new lead, once for an Idempotency-Key however often it is sent, and answers
 * the lead; a page without script is sent on to the thank-you page. A suspect is stored as one, and told nothing of it.
 */
export const answerSubmission = async <Schema extends v.GenericSchema>(
  node: ApiNode,
  c: Context,
  submission: {
    form: Schema
    submit: (about: { leadId: string; form: v.InferOutput<Schema> }, circumstances: Circumstances) => Submission
    answer: (lead: Lead) => object
  },
) => {
  const input = await readInput(c, { forms: true })
  const form = validate(submission.form, input)
  const touches = validate(sentTouches, input)
  const suspicions = suspect(validate(spamSigns, input))
  const leadId = idFromKey('lead', c.req.path, idempotencyKey(c))
  const stream = leadStream(leadId)
  const event = { id: idFromKey('submission', leadId), ...submission.submit({ leadId, form }, { touches, suspicions }) }
  const stored = await store(node, stream, event)
  if (isFormPost(c)) return c.redirect('/thanks', 303)
  const lead = evolveLead(undefined, { ...stored, data: { ...stored.data, suspicion: undefined } } as LeadEvent)
  if (!lead) throw new Error(`${event.type} starts no lead`)
  return c.json(submission.answer(lead), 201)
}

const readLead = async ({ sql }: ApiNode, leadId: string) => {
  const events = v.is(v.pipe(v.string(), v.uuid()), leadId) ? await readStream(sql, leadStream(leadId)) : []
  const lead = (events as LeadEvent[]).reduce<Lead | undefined>(evolveLead, undefined)
  if (!lead) throw new RequestError('not_found', 'There is no lead with this id')
  return { lead, events, version: events.at(-1)?.version ?? 0 }
}

/** Applies a change to the lead as it stands; where somebody else was faster, to the lead as it stands then. */
const change = async (
  node: ApiNode,
  leadId: string,
  decide: (lead: Lead, submissionId: string) => ReturnType<typeof changeFollowUp | typeof releaseLead>,
) => {
  for (let tries = 1; ; tries += 1) {
    const { lead, events, version } = await readLead(node, leadId)
    const event = decide(lead, events[0]?.id ?? '')
    if (!event) return lead
    const stream = leadStream(leadId)
    try {
      const request = { stream, expectedVersion: version, events: [{ id: randomUUID(), ...event }] }
      const [stored] = (await node.log.append(request)).events
      return evolveLead(lead, { ...event, ...stored, stream } as LeadEvent) ?? lead
    } catch (error) {
      const isLate = error instanceof LogError && error.code === 'wrong_version'
      if (!isLate || tries === MAX_CHANGE_TRIES) throw error
    }
  }
}

/** All leads that the query asks for, page by page, so that the answer's size costs no memory. */
async function* pages({ sql }: ApiNode, query: LeadQuery) {
  let after = query.cursor
  for (;;) {
    const page = await listLeads(sql, query, { limit: PAGE_LEADS, after })
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < PAGE_LEADS || !last) return
    after = last
  }
}

const answerAll = async (node: ApiNode, c: Context, query: LeadQuery) => {
  const found = pages(node, query)
  // read before the answer begins: after that a failure could not be told any more
  const first = await found.next()
  c.header('Content-Type', 'application/json')
  return stream(c, async (out) => {
    let separator = '['
    for (let page = first; !page.done; page = await found.next()) {
      await out.write(separator + page.value.map((lead) => JSON.stringify(lead)).join(','))
      separator = ','
    }
    await out.write(separator === '[' ? '[]' : ']')
  })
}

const answerPage = async ({ sql, config }: ApiNode, c: Context, query: LeadQuery, limit: number) => {
  const found = await listLeads(sql, query, { limit: limit + 1, after: query.cursor })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) {
    const next = new URL(`${config.publicUrl}/api/leads`)
    next.search = new URL(c.req.url).search
    next.searchParams.set('cursor', cursorOf(last))
    c.header('Link', `<${next}>; rel="next"`)
  }
  return c.json(page)
}

/** `/api/leads`: visitors submit leads, staff list, follow and export them. */
export const leadRoutes = (node: ApiNode) => {
  const staff = requireStaff(node)
  return new Hono<StaffEnv>()
    .post('/', (c) => answerSubmission(node, c, { form: leadForm, submit: submitLead, answer: (lead) => lead }))
    .get('/', staff, (c) => {
      const query = validate(leadQuery, c.req.query())
      return query.limit === undefined ? answerAll(node, c, query) : answerPage(node, c, query, query.limit)
    })
    .get('/stream', staff, (c) => streamLeads(node, c))
    .get('/export', staff, (c) => exportLeads(c, (query) => pages(node, query)))
    .patch('/:id', staff, async (c) => {
      const wanted = await readBody(c, followUpForm)
      const staffId = c.get('staff').id
      return c.json(await change(node, c.req.param('id'), (lead) => changeFollowUp({ lead, change: wanted, staffId })))
    })
    .post('/:id/release', staff, async (c) => {
      const staffId = c.get('staff').id
      const decide = (lead: Lead, submissionId: string) => releaseLead({ lead, submissionId, staffId })
      return c.json(await change(node, c.req.param('id'), decide))
    })
    .get('/:id/history', staff, async (c) => {
      const { events } = await readLead(node, c.req.param('id'))
      const names = await staffNames(node.sql)
      return c.json(
        events.map(({ id, type, version, recordedAt, data, personal }) => ({
          id,
          type,
          version,
          timestamp: recordedAt.toISOString(),
          by: ('by' in data && data.by && names.get(data.by)) || null,
          data: { ...data, ...personal },
        })),
      )
    })
}
