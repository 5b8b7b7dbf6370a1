import * as v from 'valibot'
import type { Sent } from '../../events/base/word.ts'
import { readNewest } from '../../events/log/read.ts'
import { ACCOUNT_EVENTS, ACCOUNTS_STREAM, type AccountEvent } from '../../events/staff/account-history.ts'
import { type accountEntry, accountHistory } from '../../events/staff/account-history-wire.ts'
import { webhookHosts } from '../../events/webhook/store/webhooks.ts'
import { A_CURSOR, pageOf } from '../http/next-link.ts'
import { route } from '../http/route.ts'
import { wholeNumber } from '../http/whole-number.ts'
import { originOf, shownOrigin } from './request-origin.ts'
import { staffNames } from './staff.ts'

const PAGE_ENTRIES = 50
const MAX_PAGE_ENTRIES = 200

const historyQuery = v.object({
  limit: v.optional(wholeNumber(1, MAX_PAGE_ENTRIES), String(PAGE_ENTRIES)),
  cursor: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, A_CURSOR)),
})

type Entry = Sent<typeof accountEntry>

/** The properties that an entry has in fields of its own. */
const NAMED: readonly string[] = ['accountId', 'by', 'from', 'tokenId', 'webhookId', 'host']

/** A page of the history of accounts, tokens and webhooks, newest first. */
export const listHistory = route('GET', '/api/accounts/history', {
  access: 'owners',
  summary: 'The history of accounts, tokens and webhooks',
  query: historyQuery,
  answer: accountHistory,
  isPaged: true,
  handler: async ({ node, c, query: { limit, cursor } }) => {
    const found = await readNewest(node.reading, ACCOUNTS_STREAM, {
      limit: limit + 1,
      types: ACCOUNT_EVENTS,
      isOutline: true,
      ...(cursor !== undefined && { before: cursor }),
    })
    const newest = { found: found.toReversed(), limit }
    const page = pageOf(c, node.config, newest, ({ version }) => String(version))

    const [names, hosts] = await Promise.all([staffNames(node.reading), webhookHosts(node.reading)])
    const personOf = (id: string | null) => (id === null ? null : { id, displayName: names.get(id) ?? 'Somebody' })
    const { place: ownPlace } = originOf(node, c)
    const shown = (event: AccountEvent): Entry => {
      const from = 'from' in event.data ? event.data.from : null
      return {
        id: event.id,
        type: event.type,
        timestamp: event.recordedAt.toISOString(),
        account: 'accountId' in event.data ? personOf(event.data.accountId) : null,
        by: 'by' in event.data ? personOf(event.data.by) : null,
        from: from && shownOrigin(from, ownPlace),
        ...('tokenId' in event.data && { token: names.get(event.data.tokenId) ?? 'A token' }),
        ...('webhookId' in event.data && {
          webhook: event.data.host ?? hosts.get(event.data.webhookId) ?? 'an address',
        }),
        data: Object.fromEntries(Object.entries(event.data).filter(([field]) => !NAMED.includes(field))),
      }
    }
    return page.map(shown)
  },
})
