import * as v from 'valibot'
import { agencyDay } from '../../events/base/agency-day.ts'
import { CONTRACT_SHOWS, contractRows, contractsSummary } from '../../events/contract/wire.ts'
import { listContracts, sumContracts } from '../../events/lead/store/contracts.ts'
import { findSent } from '../../events/lead/store/people.ts'
import { packagesOf } from '../../events/settings/packages.ts'
import { PACKAGE_IDS } from '../../events/settings/prices.ts'
import { cursorOf, pageOf, timeCursor } from '../http/next-link.ts'
import { route } from '../http/route.ts'
import { searchTerm } from '../http/search-term.ts'
import { wholeNumber } from '../http/whole-number.ts'
import { fileFormat, sendFile } from '../leads/export.ts'

const PAGE_CONTRACTS = 100
const MAX_PAGE_CONTRACTS = 500

const contractFilter = v.object({
  show: v.optional(v.picklist(CONTRACT_SHOWS, `Must be one of: ${CONTRACT_SHOWS.join(', ')}`)),
  package: v.optional(v.picklist(PACKAGE_IDS, `Must be one of: ${PACKAGE_IDS.join(', ')}`)),
  q: v.optional(searchTerm),
})

const asOfToday = (filter: v.InferOutput<typeof contractFilter>) => ({ ...filter, today: agencyDay(new Date()) })

/** The contracts of the agency, their money and their dates, as of today. */
export const contractListRoutes = [
  route('GET', '/api/contracts', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The signed contracts, newest first; those that are due in one page, the late ones first',
    query: v.object({
      ...contractFilter.entries,
      cursor: v.optional(timeCursor),
      limit: v.optional(wholeNumber(1, MAX_PAGE_CONTRACTS), String(PAGE_CONTRACTS)),
    }),
    answer: contractRows,
    isPaged: true,
    handler: async ({ node, c, query: { cursor: after, limit, ...filter } }) => {
      // those that are due are one page, without a next one
      const wanted = filter.show === 'due' ? limit : limit + 1
      const found = await listContracts(node.reading, asOfToday(filter), { limit: wanted, after })
      const page = pageOf(c, node.config, { found, limit }, ({ timestamp, leadId: id }) => cursorOf({ timestamp, id }))
      const ids = page.map(({ leadId }) => leadId)
      const sent = new Map((await findSent(node.reading, ids)).map((each) => [each.leadId, each]))
      return page.map(({ timestamp: _, ...row }) => {
        const { questionnaireId = null, sessionId = null } = sent.get(row.leadId) ?? {}
        return { ...row, questionnaireId, sessionId }
      })
    },
  }),
  route('GET', '/api/contracts/summary', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The number of signed contracts, and the monthly fees that run',
    query: contractFilter,
    answer: contractsSummary,
    handler: async ({ node, query }) => await sumContracts(node.reading, asOfToday(query)),
  }),
  route('GET', '/api/contracts/export', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The signed contracts as a file, Excel or CSV (separated by semicolons)',
    query: v.object({ ...contractFilter.entries, format: fileFormat }),
    answer: { mediaType: 'application/octet-stream' },
    handler: async ({ node, c, query: { format, ...wanted } }) => {
      const filter = asOfToday(wanted)
      const { count: rows } = await sumContracts(node.reading, filter)
      const names = Object.fromEntries(packagesOf(node.settings.current.packages).map(({ id, name }) => [id, name]))
      const job = { of: 'contracts' as const, format, wanted: { filter, names } }
      return await sendFile(node, c, { job, name: `contracts-${filter.today}.${format}`, rows })
    },
  }),
]
