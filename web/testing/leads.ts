import { FOLLOW_UP_STATUSES, type FollowUp } from '../../events/lead/follow-up/follow-up.ts'
import { holdsTerm } from '../../events/lead/search/searched.ts'
import type { Lead } from '../../events/lead/wire.ts'
import { dayOf } from '../staff/day.ts'
import { isOfKinds, readKinds } from '../staff/leads/list/kinds.ts'
import { SIPHO, THANDI } from './answers.ts'
import type { TestEventSource } from './document.ts'
import { testLead } from './lead.ts'
import { type Answer, problem, type Sent } from './server.ts'

/** The fields of a lead in a test; `at` is when it was submitted. */
export type ListedLead = { [Name in keyof Lead]?: Lead[Name] | null | undefined } & { at?: string }

/** The leads of the API in a test, and its responses about them. */
export type LeadsApi = {
  answers: Record<string, Answer>
  /** All leads in their current state. */
  all: () => readonly Lead[]
  /** A lead's current state, by its name. */
  named: (name: string) => Lead
  add: (lead: ListedLead) => Lead
  /** A colleague's change; open screens are notified. */
  change: (name: string, change: Partial<Lead>) => Lead
  /** The same, without notifying any screen. */
  unheard: (name: string, change: Partial<Lead>) => Lead
  /** Removes a lead, like an erasure. */
  remove: (name: string) => void
  /** Sends open screens a lead, as the stream of `/api/leads/stream` does. */
  tell: (name: string) => void
}

const idOf = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Sends a message on the stream of leads. */
export const notifyOnStream = (type: string, data: unknown = {}) =>
  // the stream of this test's page: a worker that runs several files has set up one for each
  (EventSource as unknown as typeof TestEventSource).opened
    .get('/api/leads/stream')
    ?.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))

type Stored = { id: string; before: Partial<Lead>; fields: string[] }

/** An API with leads, which are listed, searched, counted, changed and undone like the product's own. */
export const leadsApi = (given: readonly ListedLead[] = []): LeadsApi => {
  const leads: Lead[] = []
  const stored = new Map<string, Stored>()
  /** The version at which each field of a lead was changed last. */
  const changedAt = new Map<string, Record<string, number>>()

  const byId = (id: string | undefined) => leads.find((lead) => lead.id === id)
  const idIn = ({ path }: Sent) => byId(path.split('/')[3])
  const put = (lead: Lead) => {
    leads.splice(
      leads.findIndex(({ id }) => id === lead.id),
      1,
      lead,
    )
    return lead
  }
  const named = (name: string) => {
    const lead = leads.find((each) => each.name === name)
    if (!lead) throw new Error(`There is no lead ${name}`)
    return lead
  }
  const store = (lead: Lead, change: Partial<Lead>): { lead: Lead; eventId: string } => {
    const version = lead.version + 1
    const fields = Object.keys(change)
    const before = Object.fromEntries(fields.map((name) => [name, lead[name as keyof Lead]])) as Partial<Lead>
    const eventId = `event-${lead.id}-${version}`
    stored.set(eventId, { id: lead.id, before, fields })
    const at = changedAt.get(lead.id) ?? {}
    for (const name of fields) at[name] = version
    changedAt.set(lead.id, at)
    return { lead: put({ ...lead, ...change, version }), eventId }
  }
  const add = ({ at, ...lead }: ListedLead) => {
    const number = leads.length + 1
    const said = Object.fromEntries(Object.entries(lead).filter(([, value]) => value != null))
    const made = testLead({
      id: idOf(number),
      email: `ana${number}@example.com`,
      phone: `082 700 ${1000 + number}`,
      timestamp: at ? new Date(at).toISOString() : new Date().toISOString(),
      ...said,
    })
    leads.push(made)
    return made
  }
  for (const lead of given) add(lead)

  const found = ({ query }: Sent) => {
    const [from, to, term] = [query.get('from'), query.get('to'), query.get('q') ?? '']
    const isFlagged = query.get('quarantine') === 'true'
    return leads
      .filter((lead) => (lead.suspicion !== undefined) === isFlagged && !lead.mergedInto)
      .filter(({ timestamp }) => (!from || timestamp >= from) && (!to || timestamp < to))
      .filter((lead) => holdsTerm(lead, term))
      .filter((lead) => isOfKinds(lead, readKinds(query), { me: THANDI.id, now: new Date(), history: [] }))
      .toSorted((a, b) => b.timestamp.localeCompare(a.timestamp) || b.id.localeCompare(a.id))
  }
  const list = (sent: Sent) => {
    const [limit, offset] = [Number(sent.query.get('limit') ?? 50), Number(sent.query.get('offset') ?? 0)]
    const all = sent.query.get('sort') === 'asc' ? found(sent).reverse() : found(sent)
    return all.slice(offset, offset + limit)
  }
  const summary = (sent: Sent) => {
    const all = found(sent)
    const days = [...Map.groupBy(all, ({ timestamp }) => dayOf(timestamp))]
    return { total: all.length, days: days.map(([day, ofDay]) => ({ day, count: ofDay.length })) }
  }
  const stages = (sent: Sent) => {
    const all = found(sent)
    return FOLLOW_UP_STATUSES.map((status) => {
      const ofStage = all.filter(({ followUpStatus }) => followUpStatus === status)
      const values = ofStage.flatMap(({ projectValue }) => projectValue ?? [])
      return {
        status,
        leads: ofStage.length,
        valued: values.length,
        value: values.reduce((sum, value) => sum + value, 0),
      }
    })
  }
  const patch = (sent: Sent) => {
    const lead = idIn(sent)
    if (!lead) return problem(404)
    const seen = Number(sent.headers.get('if-match')?.replaceAll('"', '') ?? lead.version)
    const change = sent.body as FollowUp
    const fields = Object.keys(change)
    if (fields.some((name) => (changedAt.get(lead.id)?.[name] ?? 0) > seen)) {
      const data = Object.fromEntries(fields.map((name) => [name, lead[name as keyof Lead]]))
      const theirs = { id: 'theirs', by: SIPHO.displayName, timestamp: new Date().toISOString(), data }
      return problem(409, { lead, changes: [theirs] })
    }
    const { lead: changed, eventId } = store(lead, change as Partial<Lead>)
    return new Response(JSON.stringify(changed), {
      headers: { 'content-type': 'application/json', 'event-id': eventId },
    })
  }
  const flag = (sent: Sent) => {
    const lead = idIn(sent)
    if (!lead) return problem(404)
    if (lead.followUpStatus === 'won') return problem(409, { detail: 'This lead is won: it cannot be spam' })
    const { eventId } = store(lead, { suspicion: ['staff'] })
    return new Response(null, { status: 204, headers: { 'event-id': eventId } })
  }
  const undo = ({ body }: Sent) => {
    const event = stored.get((body as { eventId: string }).eventId)
    const lead = byId(event?.id)
    if (!event || !lead) return problem(404)
    const { suspicion, ...rest } = { ...lead, ...event.before, version: lead.version + 1 }
    put({ ...rest, ...(suspicion && { suspicion }) })
    return undefined
  }
  const release = (sent: Sent) => {
    const lead = idIn(sent)
    if (!lead) return problem(404)
    const { suspicion: _, ...rest } = lead
    put({ ...rest, followUpStatus: 'new', version: lead.version + 1 })
    return undefined
  }
  const contact = (sent: Sent) => {
    const lead = idIn(sent)
    if (!lead) return problem(404)
    const { isReached = true } = sent.body as { isReached?: boolean }
    const call = { id: `call-${lead.version}`, timestamp: new Date().toISOString() }
    const { lead: changed, eventId } = isReached
      ? store(lead, { followUpStatus: 'contacted', ownerId: lead.ownerId ?? THANDI.id })
      : store(lead, { unansweredCalls: [...(lead.unansweredCalls ?? []), call] })
    return new Response(JSON.stringify(changed), {
      status: 201,
      headers: { 'content-type': 'application/json', 'event-id': eventId },
    })
  }
  const tell = (name: string) => notifyOnStream('lead', named(name))

  return {
    answers: {
      'GET /api/leads': list,
      'GET /api/leads/summary': summary,
      'GET /api/leads/stages': stages,
      'GET /api/leads/*': (sent: Sent) => idIn(sent) ?? problem(404),
      'GET /api/leads/*/contract': () => problem(404),
      'GET /api/leads/*/person': (sent: Sent) => ({ leads: [idIn(sent)], timeline: [], links: [] }),
      'PATCH /api/leads/*': patch,
      'POST /api/leads/*/contacts': contact,
      'POST /api/leads/*/flag': flag,
      'POST /api/leads/*/undo': undo,
      'POST /api/leads/*/release': release,
    },
    all: () => leads,
    named,
    add,
    change: (name, change) => {
      const { lead } = store(named(name), change)
      notifyOnStream('lead', lead)
      return lead
    },
    unheard: (name, change) => store(named(name), change).lead,
    remove: (name) => {
      leads.splice(leads.indexOf(named(name)), 1)
      notifyOnStream('withdrawn')
    },
    tell,
  }
}
