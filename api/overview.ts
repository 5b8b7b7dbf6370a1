import { Hono } from 'hono'
import * as v from 'valibot'
import { agencyDay } from '../events/agency-day.ts'
import { MAX_OVERVIEW_DAYS, type Overview } from '../events/overview.ts'
import { readOverview } from '../events/projections/overview-figures.ts'
import { instant } from '../events/text.ts'
import { validate } from './body.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

const DEFAULT_DAYS = '30'
const WANTED_DAYS = `Must be a number from 1 to ${MAX_OVERVIEW_DAYS}`

/** What `GET /api/overview` may be asked for. */
export const overviewQuery = v.object({
  days: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, WANTED_DAYS),
      v.transform(Number),
      v.minValue(1, WANTED_DAYS),
      v.maxValue(MAX_OVERVIEW_DAYS, WANTED_DAYS),
    ),
    DEFAULT_DAYS,
  ),
  asOf: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/, 'Must be a day such as 2026-01-31'),
      v.check((day) => v.is(instant, `${day}T12:00:00Z`) && day >= '0002', 'Must be a day that exists'),
      v.check((day) => day <= agencyDay(new Date()), 'Must not be later than today'),
    ),
  ),
})

/** `GET /api/overview?asOf=yyyy-mm-dd&days=N`: the agency's figures as they stood at the end of a day, for staff. */
export const overviewRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const now = new Date()
    const { days, asOf = agencyDay(now) } = validate(overviewQuery, c.req.query())
    return c.json((await readOverview(node.reading, { asOf, days, now })) satisfies Overview)
  })
