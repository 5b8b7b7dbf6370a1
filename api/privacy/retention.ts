import { DAY_MS } from '../../events/base/time.ts'
import type { Sent } from '../../events/base/word.ts'
import { findDue } from '../../events/privacy/store/due.ts'
import { DUE_KINDS, type DueKind, dueData } from '../../events/privacy/wire.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'

/** How far ahead owners see what goes. */
const DAYS_AHEAD = 30

/** The most items of a kind that are counted, and the most that are listed. */
const MAX_COUNTED = 500
const MAX_LISTED = 50

const dueOf = async ({ reading, settings }: ApiNode, kind: DueKind, now: Date) => {
  const listed: Sent<typeof dueData>['kinds'][number]['listed'] = []
  let count = 0
  for await (const due of findDue(reading, kind, { periods: settings.current.retention, now })) {
    count += 1
    const [id] = [...due.leads, ...due.chats]
    if (id && listed.length < MAX_LISTED) listed.push({ id, name: due.name, timestamp: due.since.toISOString() })
    if (count === MAX_COUNTED) break
  }
  return { kind, count, isMore: count === MAX_COUNTED, listed }
}

/** A dry run of retention: the data that is erased within the next 30 days unless there is a new contact. */
export const retentionRoute = route('GET', '/api/privacy/retention', {
  access: 'owners',
  summary: 'The data whose period of storage ends within 30 days',
  answer: dueData,
  handler: async ({ node }) => {
    const until = new Date(Date.now() + DAYS_AHEAD * DAY_MS)
    const kinds = []
    for (const kind of DUE_KINDS) kinds.push(await dueOf(node, kind, until))
    return { until: until.toISOString(), kinds }
  },
})
