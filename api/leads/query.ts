import * as v from 'valibot'
import { agencyDay } from '../../events/base/agency-day.ts'
import { givenId, instant } from '../../events/base/text.ts'
import { FOLLOW_UP_STATUSES } from '../../events/lead/follow-up/follow-up.ts'
import { LEAD_PACKAGES, LEAD_SOURCES } from '../../events/lead/form/kind.ts'
import type { LeadFilter } from '../../events/lead/store/lead-list.ts'
import { lastDueWithin } from '../../events/lead/store/waiting-leads.ts'
import { timeCursor } from '../http/next-link.ts'
import { searchTerm } from '../http/search-term.ts'
import { wholeNumber } from '../http/whole-number.ts'
import type { ApiNode } from '../node/node.ts'

const MAX_PAGE_LEADS = 1_000
const MAX_OFFSET_LEADS = 10_000_000

const oneWord = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  v.picklist(words, `Must be one of: ${words.join(', ')}`)

/** Before the first lead. */
const BEFORE_ALL_LEADS = new Date(0)

/** The filter of the leads, as `GET /api/leads/summary` takes it. */
export const leadFilter = v.object({
  from: v.optional(v.pipe(instant, v.toDate())),
  to: v.optional(v.pipe(instant, v.toDate())),
  q: v.optional(searchTerm),
  quarantine: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'Must be true or false'),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
  status: v.optional(oneWord([...FOLLOW_UP_STATUSES, 'open'])),
  owner: v.optional(v.union([v.picklist(['me', 'none']), givenId()], 'Must be me, none or the id of a staff member')),
  source: v.optional(oneWord(LEAD_SOURCES)),
  package: v.optional(oneWord(LEAD_PACKAGES)),
  overdue: v.optional(v.picklist(['true'], 'Must be true, or left out')),
  nextAction: v.optional(v.picklist(['due'], 'Must be due, or left out')),
})

/** The filter of the leads by stage: each status is one of them. */
export const stagesFilter = v.omit(leadFilter, ['status'])

/**
 * A filter as the view takes it: the account that `me` is, the time before which a waiting lead is overdue, and today's
 * date.
 */
export const findFilter = async (
  { reading }: ApiNode,
  { owner, overdue, nextAction, ...filter }: v.InferOutput<typeof leadFilter>,
  staffId: string,
): Promise<LeadFilter> => ({
  ...filter,
  ...(owner && { ownerId: owner === 'none' ? null : owner === 'me' ? staffId : owner }),
  ...(overdue && { overdueBy: (await lastDueWithin(reading, 0, new Date())) ?? BEFORE_ALL_LEADS }),
  ...(nextAction && { nextActionBy: agencyDay(new Date()) }),
})

/** The parameters of `GET /api/leads` and its export. `offset` skips this many leads, after the cursor's. */
export const leadQuery = v.object({
  ...leadFilter.entries,
  sort: v.optional(v.picklist(['asc', 'desc'], 'Must be asc or desc'), 'desc'),
  cursor: v.optional(timeCursor),
  offset: v.optional(wholeNumber(0, MAX_OFFSET_LEADS), '0'),
  limit: v.optional(wholeNumber(1, MAX_PAGE_LEADS)),
})

type RequestedLeads = v.InferOutput<typeof leadQuery>

/** A query that is read page by page: the filter as the view takes it, and where to begin. */
export type LeadQuery = LeadFilter & Pick<RequestedLeads, 'sort' | 'cursor' | 'offset' | 'limit'>

/** A query as the view takes it. */
export const findQuery = async (node: ApiNode, requested: RequestedLeads, staffId: string): Promise<LeadQuery> => {
  const { sort, cursor, offset, limit, ...filter } = requested
  return { ...(await findFilter(node, filter, staffId)), sort, cursor, offset, limit }
}
