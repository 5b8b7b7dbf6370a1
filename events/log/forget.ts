import { sessionIdOf } from '../chat.ts'
import { leadIdOf } from '../lead.ts'
import { leadAlertStreams } from '../lead-alert.ts'
import { leadAnswerStreams } from '../lead-answer.ts'
import { leadCopyStreams } from '../lead-copy.ts'
import { eraseDeliveries } from '../projections/restored-deliveries.ts'
import { forgetChatPresence } from './chat-presence.ts'
import {
  advanceCheckpoint,
  type ConsumerKey,
  lockCheckpoint,
  prepareCheckpoint,
  resetCheckpoint,
} from './checkpoints.ts'
import { inTransaction, type Sql } from './connection.ts'
import { KeyError } from './key-ring.ts'
import { readDeclared } from './read.ts'
import { noteRewrites } from './rewrites.ts'
import { destroyKeys } from './subject-keys.ts'

/** Forgetting, among the consumers of the log. */
export const FORGETTING: ConsumerKey = { name: 'forget', version: 1 }

/** The types of events by which somebody is erased. */
export const FORGOTTEN_EVENTS = ['LeadErased', 'ChatErased'] as const

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 20_000

/** Makes the checkpoint of forgetting where there is none. */
export const prepareForgetting = (sql: Sql): Promise<void> => prepareCheckpoint(sql, FORGETTING, { isFilled: true })

/**
 * Makes the people of leads and chats that were erased unreadable: it destroys their data keys, and removes what is known
 * of them outside the log and the views. No row of the log changes. A step looks through the next part of the log: the keys
 * go at once, all else in one transaction; to do it twice changes nothing. Where chats have more files than one transaction
 * deletes, the next step goes on at the same place. After a restored backup it begins again at the
 * first event: what was erased before the backup stays erased. Answers whether there may be more.
 */
export const forget = (sql: Sql): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const { keys } = sql
    if (!keys) throw new KeyError('To forget people takes a connection with keys')
    const checkpoint = await lockCheckpoint(tx, FORGETTING)
    if (!checkpoint) return false
    const { epoch, head } = checkpoint
    const isOfThisLog = checkpoint.isSameEpoch && checkpoint.position <= head
    const from = isOfThisLog ? checkpoint.position : 0
    const { events, position, hasMore } = await readDeclared(tx, from, STEP_EVENTS, { types: FORGOTTEN_EVENTS })
    if (isOfThisLog && position === from) return false
    const streams = events.map(({ stream }) => stream)
    const chats = events.flatMap(({ type, stream }) => (type === 'ChatErased' ? [sessionIdOf(stream)] : []))
    const leads = streams.flatMap((stream) => leadIdOf(stream) ?? [])
    await destroyKeys(sql, keys, [...leads, ...chats])
    if (!(await forgetChatPresence(tx, chats))) return true
    await eraseDeliveries(tx, [
      ...streams,
      ...leads.map(leadCopyStreams.of),
      ...leads.map(leadAlertStreams.of),
      ...leads.map(leadAnswerStreams.of),
    ])
    if (streams.length > 0) await noteRewrites(tx)
    if (isOfThisLog) await advanceCheckpoint(tx, FORGETTING, { from: checkpoint, to: position })
    else await resetCheckpoint(tx, FORGETTING, { epoch, position })
    return hasMore
  })
