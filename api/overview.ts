import * as v from 'valibot'
import { agencyDay } from '../events/base/agency-day.ts'
import { instant } from '../events/base/text.ts'
import { MAX_OVERVIEW_DAYS } from '../events/lead/screens/overview.ts'
import { overview } from '../events/lead/screens/overview-wire.ts'
import { recurringByMonth } from '../events/lead/store/contracts.ts'
import { readOverview } from '../events/lead/store/overview-figures.ts'
import { route } from './http/route.ts'

const DEFAULT_DAYS = '30'
const WANTED_DAYS = `Must be a number from 1 to ${MAX_OVERVIEW_DAYS}`

const overviewQuery = v.object({
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

/** The agency's figures as they were at the end of a day. */
export const overviewRoute = route('GET', '/api/overview', {
  access: 'staff',
  summary: 'The figures of a range of days',
  query: overviewQuery,
  answer: overview,
  handler: async ({ node, query: { days, asOf } }) => {
    const now = new Date()
    const figures = await readOverview(node.reading, { asOf: asOf ?? agencyDay(now), days, now })
    return { ...figures, recurring: await recurringByMonth(node.reading, figures) }
  },
})
