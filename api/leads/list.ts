import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { Lead } from '../../events/lead.ts'
import type { Sql } from '../../events/log/connection.ts'
import { countLeads, listLeads } from '../../events/projections/lead-search.ts'
import type { leadSummary } from '../../events/wire/lead.ts'
import type { Sent } from '../../events/wire/word.ts'
import { validate } from '../body.ts'
import { linkNext } from '../next-link.ts'
import type { ApiNode } from '../node.ts'
import type { CallerEnv } from '../staff/caller.ts'
import type { SessionWatch } from '../staff/session-watch.ts'
import { cursorOf, findFilter, findQuery, type LeadQuery, leadFilter, leadQuery } from './query.ts'

const PAGE_LEADS = 1_000

/** All leads that the query asks for, page by page, so that the answer's size costs no memory. */
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

/** The answer breaks off where the session or the token ends meanwhile. */
const answerAll = async (node: ApiNode, c: Context<CallerEnv>, query: LeadQuery, watch: SessionWatch) => {
  const found = leadPages(node.reading, query)
  // read before the answer begins: after that a failure could not be told any more
  const first = await found.next()
  c.header('Content-Type', 'application/json')
  const { outgoing } = c.env as HttpBindings
  return stream(c, async (out) => {
    const leave = watch.enter({ tokenHash: c.get('caller').tokenHash, end: () => outgoing.destroy() })
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

const answerPage = async ({ reading, config }: ApiNode, c: Context, query: LeadQuery, limit: number) => {
  const { cursor: after, offset } = query
  const found = await listLeads(reading, query, { limit: limit + 1, after, offset })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) linkNext(c, config, cursorOf(last))
  return c.json(page satisfies Lead[])
}

/** Answers the leads of a query: a page where `limit` asks for one, all of them, streamed, otherwise. */
export const answerLeads = async (node: ApiNode, c: Context<CallerEnv>, watch: SessionWatch) => {
  const query = await findQuery(node, validate(leadQuery, c.req.query()), c.get('caller').id)
  return query.limit === undefined ? answerAll(node, c, query, watch) : answerPage(node, c, query, query.limit)
}

/** Answers how many leads a query finds, in all and by day of Africa/Johannesburg, newest day first. */
export const answerSummary = async (node: ApiNode, c: Context<CallerEnv>) => {
  const filter = await findFilter(node, validate(leadFilter, c.req.query()), c.get('caller').id)
  const days = await countLeads(node.reading, filter)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return c.json({ total, days } satisfies Sent<typeof leadSummary>)
}
