import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { Lead } from '../../events/lead/lead.ts'
import { countLeads, listLeads, sumStages } from '../../events/lead/store/lead-list.ts'
import { leadStages, leadSummary, leads } from '../../events/lead/wire.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { cursorOf, pageOf } from '../http/next-link.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import type { CallerEnv } from '../staff/caller.ts'
import { watchOf } from '../staff/session-watch.ts'
import { findFilter, findQuery, type LeadQuery, leadFilter, leadQuery, stagesFilter } from './query.ts'

const PAGE_LEADS = 1_000

/** All leads of the query, page by page, so that the response's size costs no memory. */
export async function* leadPages(sql: Sql, query: LeadQuery, limit = PAGE_LEADS) {
  let after = query.cursor
  let offset = query.offset
  for (;;) {
    const page = await listLeads(sql, query, { limit, after, offset })
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < limit || !last) return
    after = last
    offset = 0
  }
}

/** Streams all leads of a query, unless the session or the token ends before. */
const answerAll = async (node: ApiNode, c: Context<CallerEnv>, query: LeadQuery) => {
  const found = leadPages(node.reading, query)
  // read before the response begins: a failure could not be reported after that
  const first = await found.next()
  c.header('Content-Type', 'application/json')
  const { outgoing } = c.env
  return stream(c, async (out) => {
    const leave = watchOf(node).enter({ tokenHash: c.get('caller').tokenHash, end: () => outgoing.destroy() })
    try {
      let separator = '['
      for (let page = first; !page.done && !out.aborted; page = await found.next()) {
        await out.write(separator + page.value.map((lead) => JSON.stringify(lead satisfies Lead)).join(','))
        separator = ','
      }
      await out.write(separator === '[' ? '[]' : ']')
    } finally {
      leave()
    }
  })
}

const readPage = async ({ reading, config }: ApiNode, c: Context, query: LeadQuery, limit: number) => {
  const { cursor: after, offset } = query
  const found = await listLeads(reading, query, { limit: limit + 1, after, offset })
  return pageOf(c, config, { found, limit }, cursorOf)
}

/** The leads of a query: a page if `limit` is given, otherwise all of them, streamed. */
export const listLeadsRoute = route('GET', '/api/leads', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'Lists leads',
  query: leadQuery,
  answer: leads,
  isPaged: true,
  handler: async ({ node, c, query: requested }) => {
    const query = await findQuery(node, requested, c.get('caller').id)
    return query.limit === undefined ? await answerAll(node, c, query) : await readPage(node, c, query, query.limit)
  },
})

/** The number of leads that a query finds, in all and by day of Africa/Johannesburg, newest day first. */
export const countLeadsRoute = route('GET', '/api/leads/summary', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'Counts leads by day',
  query: leadFilter,
  answer: leadSummary,
  handler: async ({ node, c, query }) => {
    const days = await countLeads(node.reading, await findFilter(node, query, c.get('caller').id))
    return { total: days.reduce((sum, { count }) => sum + count, 0), days }
  },
})

/** The leads that a query finds, by stage: how many, and their value. */
export const sumStagesRoute = route('GET', '/api/leads/stages', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'Leads by stage, with values',
  query: stagesFilter,
  answer: leadStages,
  handler: async ({ node, c, query }) => sumStages(node.reading, await findFilter(node, query, c.get('caller').id)),
})
