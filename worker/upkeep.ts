import { removeOrphanFiles, sweepErasedFiles } from '../events/log/chat-files.ts'
import { expireChatPresence } from '../events/log/chat-presence.ts'
import { closeFailedSignIns } from '../events/log/failed-sign-ins.ts'
import { openAccountEraser } from '../events/log/removed-accounts.ts'
import { REWRITE_AFTER_MS } from '../events/log/rewrites.ts'
import { chatsProjection } from '../events/projections/chats.ts'
import { leadsProjection } from '../events/projections/leads.ts'
import { fileTrigrams } from '../events/projections/trigrams.ts'
import type { Chatting } from './chat/chatting.ts'
import { endIdleChats } from './chat/idle.ts'
import { noteUnreadAnswers } from './chat/unread.ts'
import type { Sweep } from './consumers/work-loop.ts'
import { type Rewriting, rewriteErased } from './erasure/rewrites.ts'
import { removeOldTables } from './leftovers.ts'

const CHATS_EVERY_MS = 30_000
/** Searches look through what is not filed yet, one row after the other: 10,000 leads cost them some 4 ms. */
const TRIGRAMS_EVERY_MS = 1_000
const TABLES_EVERY_MS = 60_000

/** How often the tables are looked after, and how long after an erasure they are rewritten; tests wait less. */
export type UpkeepPace = { tablesEveryMs?: number; rewriteAfterMs?: number }

/** What has to be done again and again for chats, views and tables. It all goes on without Redis. */
export const upkeepSweeps = (
  { chatting, rewriting, signal }: { chatting: Chatting; rewriting: Rewriting; signal: AbortSignal },
  { tablesEveryMs = TABLES_EVERY_MS, rewriteAfterMs = REWRITE_AFTER_MS }: UpkeepPace = {},
): Sweep[] => {
  const tidied = new Map<string, number>()
  const now = () => new Date()
  /** Up to which chat's files have been looked through. */
  let swept: string | undefined
  return [
    {
      name: 'unread-answers',
      everyMs: CHATS_EVERY_MS,
      run: () => noteUnreadAnswers(chatting, { now: now() }),
    },
    { name: 'idle-chats', everyMs: CHATS_EVERY_MS, run: () => endIdleChats(chatting, { now: now() }) },
    { name: 'expiry', everyMs: CHATS_EVERY_MS, run: () => expireChatPresence(chatting.sql, { now: now() }) },
    { name: 'orphan-files', everyMs: CHATS_EVERY_MS, run: () => removeOrphanFiles(chatting.sql, { now: now() }) },
    {
      name: 'erased-files',
      everyMs: CHATS_EVERY_MS,
      run: async () => {
        swept = await sweepErasedFiles(chatting.sql, swept)
      },
    },
    {
      name: 'trigrams',
      everyMs: TRIGRAMS_EVERY_MS,
      run: async () => {
        for (const view of [leadsProjection, chatsProjection]) await fileTrigrams(chatting.sql, view)
      },
    },
    {
      name: 'failed-sign-ins',
      everyMs: CHATS_EVERY_MS,
      run: () => closeFailedSignIns(chatting, { now: now() }),
    },
    { name: 'removed-accounts', everyMs: CHATS_EVERY_MS, run: openAccountEraser(chatting.sql) },
    { name: 'old-tables', everyMs: tablesEveryMs, run: () => removeOldTables(rewriting, tidied) },
    {
      name: 'rewrites',
      everyMs: tablesEveryMs,
      run: () => rewriteErased(rewriting, { afterMs: rewriteAfterMs, signal }),
    },
  ]
}
