import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { Lead } from '../../events/lead.ts'
import { CSV_BEGINNING, csvLineOf } from '../../events/lead-sheet.ts'
import { countLeads } from '../../events/projections/lead-search.ts'
import { validate } from '../body.ts'
import type { ApiNode } from '../node.ts'
import { staffNames } from '../staff/staff.ts'
import { exportName } from './export-name.ts'
import { leadPages } from './list.ts'
import { leadQuery } from './query.ts'
import { writeWorkbook } from './workbook.ts'

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const exportQuery = v.object({
  ...leadQuery.entries,
  format: v.optional(v.picklist(['xlsx', 'csv'], 'Must be xlsx or csv'), 'xlsx'),
})

async function* csvOf(pages: AsyncIterable<Lead[]>) {
  yield CSV_BEGINNING
  for await (const page of pages) yield page.map(csvLineOf).join('')
}

/** The same pages, of which the first is read already. */
async function* beginningWith(first: IteratorResult<Lead[]>, rest: AsyncGenerator<Lead[]>) {
  if (first.done) return
  yield first.value
  yield* rest
}

/**
 * `GET /api/leads/export`: the leads of a query as a spreadsheet, page by page, no faster than it is read; reading stops when
 * the reader goes away. `X-Total-Rows` tells beforehand how many leads there are. What fails midway closes the
 * connection without an end, so that nobody takes a part for the whole.
 */
export const exportLeads = async (node: ApiNode, c: Context): Promise<Response> => {
  const { format, ...query } = validate(exportQuery, c.req.query())
  const days = await countLeads(node.sql, query)
  const owners = await staffNames(node.sql)
  const found = leadPages(node, query)
  // read before the answer begins: so far a failure can be told
  const pages = beginningWith(await found.next(), found)

  const out = new PassThrough()
  const gone = new AbortController()
  out.once('close', () => gone.abort())
  const writing =
    format === 'csv'
      ? pipeline(csvOf(pages), out, { signal: gone.signal })
      : writeWorkbook(pages, { out, owners, signal: gone.signal })
  writing.catch((error: unknown) => {
    if (gone.signal.aborted) return
    node.logger.error({ err: error }, 'export broke off')
    const { outgoing } = c.env as HttpBindings
    outgoing.destroy()
    out.destroy()
  })

  const { from, to } = query
  const name = exportName(node.config.agency.name, { from, to, now: new Date(), extension: format })
  return c.body(Readable.toWeb(out) as ReadableStream, 200, {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Total-Rows': String(days.reduce((total, { count }) => total + count, 0)),
  })
}
