import { agencyDay } from '../../events/base/agency-day.ts'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { noteTableRewrites } from '../../events/erasure/due-rewrites.ts'
import { destroyKeys } from '../../events/keys/subject-keys.ts'
import { erasureStreams, requestErasure } from '../../events/lead/person/erasure.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import type { Appender } from '../../events/log/append.ts'
import { readPosition } from '../../events/log/checkpoints.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readHead } from '../../events/log/read.ts'
import { requestEnds } from '../../events/privacy/retention.ts'
import { readCases } from '../../events/privacy/store/cases.ts'
import { type Due, findDue } from '../../events/privacy/store/due.ts'
import { DUE_KINDS } from '../../events/privacy/wire.ts'
import type { Retention } from '../../events/settings/retention.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'

/** The dependencies of retention. `signal` ends it between two people: the next run continues. */
export type Retaining = { sql: Sql; log: Pick<Appender, 'append'>; signal: AbortSignal }

/** Views that are being caught up with could hide a newer contact. */
const areViewsCurrent = async (sql: Sql): Promise<boolean> => {
  const { position } = await readHead(sql)
  const positions = await Promise.all([leadsProjection, chatsProjection].map((view) => readPosition(sql, view)))
  return positions.every((each) => each >= position)
}

/** Asks for an erasure, once for the same data however many workers do: consumers carry it out as one by an owner. */
const requestDue = async ({ log }: Retaining, { leads, chats }: Due) => {
  for (const [part, request] of requestErasure({ leads, chats, asOf: null, by: null }).entries()) {
    await handle(log, {
      read: () => ({ stream: erasureStreams.of(leads[0] ?? chats[0] ?? ''), version: 'any' as const }),
      decide: () => ({ id: deterministicUuid('retention', String(part), ...leads, ...chats), ...request }),
      isOnce: true,
    })
  }
}

/** Erases the words of requests that were done long ago, unless they go with the person's lead or chat. */
const eraseOldRequests = async ({ sql }: Retaining, { periods, now }: { periods: Retention; now: Date }) => {
  const { cases } = await readCases(sql)
  const old = cases.filter(
    ({ doneAt, subjectId, from }) =>
      doneAt !== null && subjectId === null && from !== null && requestEnds(new Date(doneAt), periods) <= now,
  )
  if (old.length === 0 || !sql.keys) return
  await inTransaction(sql, noteTableRewrites)
  await destroyKeys(
    sql,
    sql.keys,
    old.map(({ id }) => id),
  )
}

/**
 * Erases the data whose period of storage is over at a time. Two workers, and one that was killed and begins again, ask
 * for the same erasures, which are stored once. Returns false, and erases nothing, while a view is not current.
 */
export const applyRetention = async (
  retaining: Retaining,
  wanted: { periods: Retention; now: Date },
): Promise<boolean> => {
  const { sql, signal } = retaining
  if (!(await areViewsCurrent(sql))) return false
  for (const kind of DUE_KINDS) {
    for await (const due of findDue(sql, kind, wanted)) {
      if (signal.aborted) return false
      await requestDue(retaining, due)
    }
  }
  await eraseOldRequests(retaining, wanted)
  return true
}

/** Opens a sweep that applies the periods once a day. */
export const openRetention = (
  retaining: Retaining,
  wanted: () => { periods: Retention; now: Date },
): (() => Promise<void>) => {
  let doneOn: string | undefined
  return async () => {
    const { periods, now } = wanted()
    const today = agencyDay(now)
    if (doneOn !== today && (await applyRetention(retaining, { periods, now }))) doneOn = today
  }
}
