/**
 * Erasing a person. An owner's request names leads and chats in the log by their ids, so that it is finished whatever
 * closes or dies. Workers carry it out, 100 leads and chats a step: an event on each of them (worker/erasure/erasures.ts). The
 * consumer in this file then destroys the data keys. What is personal in an event is encrypted with a key for each
 * person, and the key by DATA_KEY: to destroy the key is to erase the person. No row of the log changes. Within seconds
 * nobody can read them in the log, and the views, the answers to emails and the pages of their chats lose them. Everyone
 * who has such a chat open, the visitor or staff, sees it go. A tombstone, with the id and the time, refuses what would
 * be written about them later; a form that is sent again too (409).
 *
 * Postgres leaves removed rows in its files until their place is used again. So workers write the views and the tables
 * `deliveries` and `subject_keys` into new files 12 hours after an erasure (worker/erasure/rewrites.ts). Those two tables are
 * locked meanwhile, for about 0.3 s with the keys of 100,000 people. What a backup or an older transaction still reads
 * is tried again each minute. After that no table file, no new dump, no key in Redis, no line of a log and no answer
 * holds a word of the person: api/erased-bytes.slow.test.ts fills in every field and searches byte by byte.
 *
 * A file that staff import may hold the person too. Its rows about them are left out from then on (import-erasures.ts).
 * The file is encrypted by a key of its own, which is in no dump and goes with the file: when the import is over, two days
 * after it came where rows were left out that staff may correct, after a day where nobody began it, after three days at
 * the latest.
 *
 * What remains: that there was a lead or a chat, when, from what kind of source, which of them were erased together, and
 * what staff did with it, without a word that the person or staff wrote. Postgres's write-ahead log holds what the views
 * held until it is recycled, and an archive of it as long as you keep it. An older dump holds what email services
 * answered; it holds the keys and the views unless they were left out (api/backup/dump.sh). Sent email is in its
 * inboxes. Postgres's own log must not quote what was sent to it. The embedded Postgres and compose.yaml set
 * log_min_messages=log, log_min_error_statement=panic, log_error_verbosity=terse and log_parameter_max_length=0: set
 * them on yours too.
 */

import { sessionIdOf } from '../chat/chat.ts'
import { deleteChatPresence } from '../chat/store/presence.ts'
import { KeyError } from '../keys/key-ring.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadAlertStreams } from '../lead/alert.ts'
import { leadAnswerStreams } from '../lead/answer.ts'
import { leadCopyStreams } from '../lead/copy.ts'
import { leadIdOf } from '../lead/lead.ts'
import { KEY_ERASER } from '../log/acting-consumers.ts'
import { advanceActingConsumer, lockCheckpoint, resetCheckpoint } from '../log/checkpoints.ts'
import { readDeclared } from '../log/read.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import { eraseDeliveries } from './erased-deliveries.ts'
import { noteRewrites } from './rewrites.ts'

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 20_000

/**
 * Makes the people of leads and chats that were erased unreadable: it destroys their data keys, and removes what is known
 * of them outside the log and the views. No row of the log changes. A step looks through the next part of the log: the keys
 * go at once, all else in one transaction; to do it twice changes nothing. Where chats have more files than one transaction
 * deletes, the next step goes on at the same place. After a restored backup it begins again at the
 * first event: what was erased before the backup stays erased. Returns whether there may be more.
 */
export const eraseKeys = (sql: Sql): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const { keys } = sql
    if (!keys) throw new KeyError('Erasing people requires a connection with keys')
    const checkpoint = await lockCheckpoint(tx, KEY_ERASER)
    if (!checkpoint) return false
    const { epoch, head } = checkpoint
    const isOfThisLog = checkpoint.isSameEpoch && checkpoint.position <= head
    const from = isOfThisLog ? checkpoint.position : 0
    const { events, position, hasMore } = await readDeclared(tx, from, STEP_EVENTS, KEY_ERASER)
    if (isOfThisLog && position === from) return false
    const streams = events.map(({ stream }) => stream)
    const chats = events.flatMap(({ type, stream }) => (type === 'ChatErased' ? [sessionIdOf(stream)] : []))
    const leads = streams.flatMap((stream) => leadIdOf(stream) ?? [])
    await destroyKeys(sql, keys, [...leads, ...chats])
    if (!(await deleteChatPresence(tx, chats))) return true
    await eraseDeliveries(tx, [
      ...streams,
      ...leads.map(leadCopyStreams.of),
      ...leads.map(leadAlertStreams.of),
      ...leads.map(leadAnswerStreams.of),
    ])
    if (streams.length > 0) await noteRewrites(tx)
    if (isOfThisLog) await advanceActingConsumer(tx, KEY_ERASER, { from: checkpoint, to: position })
    else await resetCheckpoint(tx, KEY_ERASER, { epoch, position })
    return hasMore
  })
