import { type FollowUp, fieldsOf } from '../../events/lead/follow-up/follow-up.ts'
import type { Person, TimelineEntry } from '../../events/lead/person/person-wire.ts'
import type { Lead } from '../../events/lead/wire.ts'
import { SIPHO, THANDI } from './answers.ts'
import { TestEventSource } from './document.ts'
import { testLead } from './lead.ts'
import { openScreen } from './screen.tsx'
import { type Answer, problem, type Sent } from './server.ts'

/** The id of one of a test's leads, or chats. */
export const idOf = (number: number) => `20000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** The lead that a screen shows unless a test changes it; those of the same person have numbers of their own. */
export const ayanda = (more: Partial<Lead> = {}): Lead =>
  testLead({
    id: idOf(1),
    name: 'Ayanda Cele',
    email: 'ayanda@example.com',
    phone: '082 700 1001',
    businessName: 'Stoep & Co',
    package: 'premium',
    // a minute ago: its reply is not due yet
    timestamp: new Date(Date.now() - 60_000).toISOString(),
    ...more,
  })

let entries = 0

/** A timeline entry of Ayanda. */
export const entryOf = (kind: TimelineEntry['kind'], more: Partial<TimelineEntry> = {}): TimelineEntry => {
  entries += 1
  return {
    id: `${kind}-${entries}`,
    kind,
    timestamp: new Date().toISOString(),
    by: null,
    leadId: idOf(1),
    sessionId: null,
    data: {},
    isUndoable: false,
    isUndone: false,
    ...more,
  }
}

type Change = (more: Partial<Lead>, kind?: TimelineEntry['kind'], data?: object) => TimelineEntry

/** The API's data of one lead and its person, for a test to change. */
export type LeadApi = {
  lead: Lead
  others: readonly Lead[]
  timeline: readonly TimelineEntry[]
  links: Person['links']
  answers: Record<string, Answer>
  /** A colleague's change without a notification: screens see it with their next request only. */
  changeUnseen: Change
  /** A colleague's change while a screen is open. */
  change: Change
  /** Notifies the screen that a lead of the person has changed. */
  tell: (lead?: Lead) => void
}

const stored = (body: unknown, eventId: string | null, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...(eventId && { 'event-id': eventId }) },
  })

/**
 * An API with one lead, its person's other leads and their timeline: requests are stored, listed in the timeline and
 * undone as by the product's own.
 */
export const leadApi = (given: Lead = ayanda(), beside: Partial<Person> = {}): LeadApi => {
  const before = new Map<string, Partial<Lead>>()
  const changes: { id: string; version: number; by: string; data: FollowUp }[] = []
  const isOwn = ({ path }: Sent) => path.split('/')[3] === api.lead.id

  const change = (kind: TimelineEntry['kind'], by: string, more: Partial<Lead>, data: object = {}) => {
    const fields = Object.keys(more) as (keyof Lead)[]
    const told = entryOf(kind, { by, leadId: api.lead.id, data: { ...data, ...more }, isUndoable: true })
    before.set(told.id, Object.fromEntries(fields.map((field) => [field, api.lead[field]])))
    api.lead = { ...api.lead, ...more, version: api.lead.version + 1 }
    api.timeline = [...api.timeline, told]
    changes.push({ id: told.id, version: api.lead.version, by, data: more as FollowUp })
    return told
  }

  const patch = (sent: Sent) => {
    const asked = sent.body as FollowUp
    const seen = Number(sent.headers.get('if-match')?.replaceAll('"', ''))
    const wanted = fieldsOf(asked).filter((field) => api.lead[field] !== asked[field])
    const met = changes.filter(({ version, data }) => version > seen && wanted.some((field) => field in data))
    if (met.length > 0) {
      const told = met.map(({ id, by, data }) => ({ id, by, data, timestamp: new Date().toISOString() }))
      return problem(409, { lead: api.lead, changes: told })
    }
    if (wanted.length === 0) return stored(api.lead, null)
    const more = Object.fromEntries(wanted.map((field) => [field, asked[field]])) as Partial<Lead>
    const { id } = change('follow_up', THANDI.displayName, more)
    return stored(api.lead, id)
  }

  const answered = (): Partial<Lead> => ({
    ...(api.lead.followUpStatus === 'new' && { followUpStatus: 'contacted', answeredAt: new Date().toISOString() }),
    ...(api.lead.ownerId === null && { ownerId: THANDI.id }),
  })
  const email = ({ body }: Sent) => {
    const data = { ...Object(body), to: api.lead.email, state: 'delivered' }
    const { id } = change('answer_email', THANDI.displayName, answered(), data)
    return stored(api.lead, id, 201)
  }
  const contact = ({ body }: Sent) => {
    const { channel, text, isReached = true } = body as { channel: string; text: string | null; isReached?: boolean }
    const kind = channel === 'email' ? 'answer_email' : channel === 'call' && !isReached ? 'call_unanswered' : channel
    const data = { ...(text && { text }) }
    const { id } = change(kind as TimelineEntry['kind'], THANDI.displayName, isReached ? answered() : {}, data)
    return stored(api.lead, id, 201)
  }
  const note = ({ body }: Sent) => {
    const { note: words } = body as { note: string }
    return stored(change('note', THANDI.displayName, {}, { note: words }), null, 201)
  }
  const undo = ({ body }: Sent) => {
    const { eventId } = body as { eventId: string }
    api.timeline = api.timeline.map((entry) =>
      entry.id === eventId ? { ...entry, isUndone: true, isUndoable: false } : entry,
    )
    const back = before.get(eventId) ?? {}
    const { answeredAt: _, ...shown } = back
    api.lead = { ...api.lead, ...back, version: api.lead.version + 1 }
    const undone = entryOf('follow_up', { by: THANDI.displayName, data: { ...shown, undoes: eventId } })
    api.timeline = [...api.timeline, undone]
    return undefined
  }

  const answers: Record<string, Answer> = {
    'GET /api/leads/*': (sent: Sent) =>
      isOwn(sent) ? api.lead : (api.others.find(({ id }) => sent.path.endsWith(id)) ?? problem(404)),
    'GET /api/leads/*/contract': () => problem(404),
    'GET /api/leads/*/person': () => ({
      leads: [api.lead, ...api.others],
      timeline: api.timeline,
      links: api.links,
    }),
    'PATCH /api/leads/*': patch,
    'POST /api/leads/*/emails': email,
    'POST /api/leads/*/contacts': contact,
    'POST /api/leads/*/notes': note,
    'POST /api/leads/*/undo': undo,
  }

  const api: LeadApi = {
    lead: given,
    others: beside.leads ?? [],
    timeline: beside.timeline ?? [entryOf('lead', { data: { leadSource: 'hero_form' } })],
    links: beside.links ?? [],
    answers,
    changeUnseen: (more, kind = 'follow_up', data = {}) => change(kind, SIPHO.displayName, more, data),
    change: (more, kind = 'follow_up', data = {}) => {
      const told = change(kind, SIPHO.displayName, more, data)
      api.tell()
      return told
    },
    tell: (lead = api.lead) => tellOnLeads('lead', lead),
  }
  return api
}

/** Holds back the response to a call until it is released: for actions during that time, such as a second press. */
export const holdBack = (api: LeadApi, call: string) => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const answer = api.answers[call] as (sent: Sent) => unknown
  return { answers: { [call]: (sent: Sent) => promise.then(() => answer(sent)) }, letGo }
}

/** Sends the screen an event by the stream of leads. */
export const tellOnLeads = (type: string, data: unknown = {}) =>
  TestEventSource.opened.get('/api/leads/stream')?.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))

/** Opens the screen of a lead. */
export const openLead = (api: LeadApi, answers: Record<string, Answer> = {}, hash = '') =>
  openScreen(`/admin-lead?id=${api.lead.id}${hash}`, { ...api.answers, ...answers })
