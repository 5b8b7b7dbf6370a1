/**
 * Erasing a person. An owner's request names leads and chats in the log by their ids, so it is finished whatever closes
 * or dies. Workers carry it out, 100 leads and chats per step: one event on each (worker/erasure/erasures.ts). The
 * consumer in this file then destroys the data keys. No row of the log changes. Within seconds the person is unreadable
 * in the log, and gone from the views, the responses to emails and the pages of their chats; the visitor and staff who
 * have such a chat open see it disappear. A tombstone with the id and the time refuses later writes about them, and a
 * form that is sent again (409). See events/decisions/07-erasure-by-key.md.
 *
 * Postgres leaves removed rows in its files until their space is reused. So workers write the views and the tables
 * `deliveries` and `subject_keys` into new files 12 hours after an erasure (worker/erasure/rewrites.ts). Those two
 * tables are locked during that time, for about 0.3 s with the keys of 100,000 people. A table that a backup or an
 * older transaction still reads is tried again each minute. After that no table file, new dump, key in Redis, log line
 * or response holds a word of the person: api/erased-bytes.slow.test.ts fills in every field and searches byte by byte.
 *
 * Exports of the person's data (events/privacy/store/exports.ts) go at the same time.
 *
 * An imported file may hold the person too. Its rows about them are left out from then on (import-erasures.ts). The
 * file is encrypted with its own key, which is in no dump and goes with the file: when the import is over; two days
 * after its upload if rows were left out that staff may correct; after a day if it was never started; after three days
 * at the latest.
 *
 * What remains:
 *
 * - the fact that there was a lead or a chat, its time and kind of source, which of them were erased together, and what
 *   staff did with it, without a word that the person or staff wrote;
 * - the former rows of views in Postgres's write-ahead log until it is recycled, and in an archive of it as long as you
 *   keep it;
 * - the responses of email services in an older dump, and the keys and views unless they were left out
 *   (api/backup/dump.sh);
 * - sent email in its inboxes.
 *
 * Postgres's own log must not quote statements. The embedded Postgres and compose.yaml set log_min_messages=log,
 * log_min_error_statement=panic, log_error_verbosity=terse and log_parameter_max_length=0: set them on yours too.
 */

import { sessionIdOf } from '../chat/chat.ts'
import { deleteChatTraces } from '../chat/store/chat-traces.ts'
import { KEY_ERASER } from '../consumers/acting-consumers.ts'
import { contractStreams } from '../contract/signed-copy.ts'
import { KeyError } from '../keys/key-ring.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadAlertStreams } from '../lead/email/alert.ts'
import { leadCopyStreams } from '../lead/email/copy.ts'
import { leadIdOf } from '../lead/lead.ts'
import { leadAnswerStreams } from '../lead/reply/answer.ts'
import { advanceActingConsumer, lockCheckpoint, resetCheckpoint } from '../log/checkpoints.ts'
import { readDeclared } from '../log/read.ts'
import { deleteExportsOf } from '../privacy/store/exports.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import { noteRewrites } from './due-rewrites.ts'
import { eraseDeliveries } from './erased-deliveries.ts'

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 20_000

/**
 * Makes the people of erased leads and chats unreadable: destroys their data keys and removes their data outside the
 * log and the views. No row of the log changes. A step reads the next part of the log: the keys go at once, all else in
 * one transaction; repeating it changes nothing. If chats have more files than one transaction deletes, the next step
 * continues at the same place. After a restored backup it begins again at the first event: people erased before the
 * backup stay erased. Returns whether there may be more.
 */
export const eraseKeys = (sql: Sql): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const { keys } = sql
    if (!keys) throw new KeyError('Erasing people requires a connection with keys')
    const checkpoint = await lockCheckpoint(tx, KEY_ERASER)
    if (!checkpoint) return false
    const { epoch, head } = checkpoint
    const isSameLog = checkpoint.isSameEpoch && checkpoint.position <= head
    const from = isSameLog ? checkpoint.position : 0
    const { events, position, hasMore } = await readDeclared(tx, from, STEP_EVENTS, KEY_ERASER)
    if (isSameLog && position === from) return false
    const streams = events.map(({ stream }) => stream)
    const chats = events.flatMap(({ type, stream }) => (type === 'ChatErased' ? [sessionIdOf(stream)] : []))
    const leads = streams.flatMap((stream) => leadIdOf(stream) ?? [])
    await destroyKeys(sql, keys, [...leads, ...chats])
    if (!(await deleteChatTraces(tx, chats))) return true
    await deleteExportsOf(tx, [...leads, ...chats])
    await eraseDeliveries(tx, [
      ...streams,
      ...leads.map(leadCopyStreams.of),
      ...leads.map(leadAlertStreams.of),
      ...leads.map(leadAnswerStreams.of),
      ...leads.map(contractStreams.of),
    ])
    if (streams.length > 0) await noteRewrites(tx)
    if (isSameLog) await advanceActingConsumer(tx, KEY_ERASER, { from: checkpoint, to: position })
    else await resetCheckpoint(tx, KEY_ERASER, { epoch, position })
    return hasMore
  })
