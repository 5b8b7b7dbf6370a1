import type { Logger } from 'pino'
import { expireChatTraces } from '../events/chat/store/chat-traces.ts'
import { removeOrphanFiles, sweepErasedFiles } from '../events/chat/store/files.ts'
import { chatsProjection } from '../events/chat/store/view.ts'
import { REWRITE_AFTER_MS } from '../events/erasure/due-rewrites.ts'
import { openAccountEraser } from '../events/erasure/removed-accounts.ts'
import { removeOldImportFiles } from '../events/lead/store/imports.ts'
import { leadsProjection } from '../events/lead/store/view.ts'
import { deleteOldPositions } from '../events/log/checkpoints.ts'
import { deleteOldExports } from '../events/privacy/store/exports.ts'
import { fileTrigrams } from '../events/projections/trigrams.ts'
import { removeUnusedTables, retireSuperseded } from '../events/projections/unused-tables.ts'
import { closeFailedSignIns } from '../events/staff/store/failed-sign-ins.ts'
import type { Sql } from '../events/stores/connection.ts'
import { alertStaffOfChats } from './chat/chat-alerts.ts'
import type { Chatting } from './chat/chatting.ts'
import { endIdleChats } from './chat/idle.ts'
import { noteUnreadAnswers } from './chat/unread.ts'
import type { PassOver } from './consumers/pass-over.ts'
import type { Sweep } from './consumers/work-loop.ts'
import type { Delivering } from './email/deliver.ts'
import { emailSweeps } from './email/email-sweeps.ts'
import type { EmailLanes } from './email/lanes.ts'
import { hasServer } from './email/ways.ts'
import { type Rewriting, rewriteErased } from './erasure/rewrites.ts'
import { alertStaff } from './leads/alerts.ts'
import { carryOutImports } from './leads/imports.ts'
import { makeExports } from './privacy/exports.ts'
import { openRetention } from './privacy/retention.ts'
import type { WebhookWork } from './webhooks/work.ts'

const ALERTS_EVERY_MS = 15_000
const CHAT_ALERTS_EVERY_MS = 5_000
const IMPORTS_EVERY_MS = 1_000
/** The periods are applied once a day; more often only if a view was behind. */
const RETENTION_EVERY_MS = 5 * 60_000
const EXPORTS_EVERY_MS = 1_000
const UNUSED_EVERY_MS = 60_000
const CHATS_EVERY_MS = 30_000
/** Searches read rows that are not filed yet one after the other: 10,000 leads cost them some 4 ms. */
const TRIGRAMS_EVERY_MS = 1_000
const TABLES_EVERY_MS = 60_000

/**
 * Removes the leftovers of consumers: old positions, tables that a rebuild has replaced or broken off, and versions of
 * views that no worker maintains any longer. `deletedUpTo` is reused between calls (`deleteOldPositions`).
 */
const removeOldTables = async (
  { sql, logger }: { sql: Sql; logger: Pick<Logger, 'info'> },
  deletedUpTo: Map<string, number>,
): Promise<void> => {
  await deleteOldPositions(sql, deletedUpTo)
  for (const { name, version } of await retireSuperseded(sql)) {
    logger.info({ view: name, version }, 'a version that no worker keeps any longer is removed')
  }
  await removeUnusedTables(sql)
}

/** How often the tables are looked after, and how long after an erasure they are rewritten; tests wait less. */
export type UpkeepPace = { tablesEveryMs?: number; rewriteAfterMs?: number }

/** The sweeps that maintain chats, views and tables. */
export const upkeepSweeps = (
  { chatting, rewriting, signal }: { chatting: Chatting; rewriting: Rewriting; signal: AbortSignal },
  { tablesEveryMs = TABLES_EVERY_MS, rewriteAfterMs = REWRITE_AFTER_MS }: UpkeepPace = {},
): Sweep[] => {
  const deletedUpTo = new Map<string, number>()
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
    { name: 'expiry', everyMs: CHATS_EVERY_MS, run: () => expireChatTraces(chatting.sql, { now: now() }) },
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
    { name: 'old-tables', everyMs: tablesEveryMs, run: () => removeOldTables(rewriting, deletedUpTo) },
    {
      name: 'rewrites',
      everyMs: tablesEveryMs,
      run: () => rewriteErased(rewriting, { afterMs: rewriteAfterMs, signal }),
    },
  ]
}

/** The dependencies of a worker's sweeps. */
type Sweeping = {
  delivering: Delivering
  chatting: Chatting
  rewriting: Rewriting
  lanes: EmailLanes
  webhooks: WebhookWork
  passOver: PassOver
  signal: AbortSignal
}

/** All sweeps of a worker. Each runs without Redis too. */
export const openSweeps = (work: Sweeping, pace: UpkeepPace): Sweep[] => {
  const { delivering, lanes, webhooks, passOver, signal } = work
  const { sql, log, logger, settings, config } = delivering
  const alerting = () => ({ sql, log, hours: settings.current.supportHours, canEmail: hasServer(delivering), passOver })
  const now = () => new Date()
  return [
    ...upkeepSweeps(work, pace),
    ...emailSweeps(delivering, lanes),
    ...webhooks.sweeps,
    { name: 'lead-alerts', everyMs: ALERTS_EVERY_MS, run: () => alertStaff(alerting(), { now: now() }) },
    { name: 'chat-alerts', everyMs: CHAT_ALERTS_EVERY_MS, run: () => alertStaffOfChats(alerting(), { now: now() }) },
    { name: 'lead-imports', everyMs: IMPORTS_EVERY_MS, run: () => carryOutImports({ sql, log, signal }) },
    {
      name: 'retention',
      everyMs: RETENTION_EVERY_MS,
      run: openRetention({ sql, log, signal }, () => ({ periods: settings.current.retention, now: now() })),
    },
    { name: 'privacy-exports', everyMs: EXPORTS_EVERY_MS, run: () => makeExports({ sql, logger, config, signal }) },
    {
      name: 'old-exports',
      everyMs: UNUSED_EVERY_MS,
      run: () => deleteOldExports(sql, { days: settings.current.retention.exportDays, now: now() }),
    },
    { name: 'import-files', everyMs: UNUSED_EVERY_MS, run: () => removeOldImportFiles(sql) },
  ]
}
