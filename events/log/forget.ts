import { chatStream, messageStream, sessionIdOf } from '../chat.ts'
import { chatDeskStream } from '../chat-desk.ts'
import {
  advanceCheckpoint,
  type ConsumerKey,
  lockCheckpoint,
  prepareCheckpoint,
  resetCheckpoint,
} from './checkpoints.ts'
import { inTransaction, type Sql } from './connection.ts'
import type { Queryable } from './read.ts'

/** Forgetting, among the consumers of the log. */
export const FORGETTING: ConsumerKey = { name: 'forget', version: 1 }

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 20_000

const UUID_CHARACTERS = 36

type Erasure = { stream: string; type: 'LeadErased' | 'ChatErased' }

/** The streams that an erasure is about: a lead's own, all three of a chat. */
const streamsOf = ({ type, stream }: Erasure) => {
  if (type === 'LeadErased') return [stream]
  const sessionId = sessionIdOf(stream)
  return [chatStream(sessionId), messageStream(sessionId), chatDeskStream(sessionId)]
}

const forgetPersonal = async (tx: Queryable, erasure: Erasure) => {
  await tx`update events set personal = null where stream = any(${streamsOf(erasure)}) and personal is not null`
}

/** What was under way into a chat while it was erased. The lateral join keeps it to one look-up by index an event. */
const forgetLateComers = (tx: Queryable, from: number, to: number) => tx`
  update events set personal = null
  where position in (
    select e.position from events e
    cross join lateral (
      select from events d where d.stream = 'chat-desk-' || right(e.stream, ${UUID_CHARACTERS}) and d.type = 'ChatErased' limit 1
    ) erased
    where e.position > ${from} and e.position <= ${to} and e.personal is not null and e.type like 'Chat%'
  )`

/** Makes the checkpoint of forgetting where there is none. */
export const prepareForgetting = (sql: Sql): Promise<void> => prepareCheckpoint(sql, FORGETTING, { isFilled: true })

/**
 * Takes what is personal out of the events of leads and chats that were erased: the one change that the log ever sees.
 * A step looks through the next part of the log and is one transaction: whoever dies in it has done nothing. Forgetting
 * twice changes nothing, so that after a restored backup it simply begins anew: that has it all again. Answers whether
 * there may be more.
 */
export const forget = (sql: Sql): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, FORGETTING)
    if (!checkpoint) return false
    const { epoch, head } = checkpoint
    const isOfThisLog = checkpoint.isSameEpoch && checkpoint.position <= head
    const from = isOfThisLog ? checkpoint.position : 0
    const to = Math.min(from + STEP_EVENTS, head)
    if (isOfThisLog && to === from) return false
    const erasures = await tx<Erasure[]>`
      select stream, type from events
      where position > ${from} and position <= ${to} and type in ('LeadErased', 'ChatErased') order by position`
    for (const erasure of erasures) await forgetPersonal(tx, erasure)
    await forgetLateComers(tx, from, to)
    if (isOfThisLog) await advanceCheckpoint(tx, FORGETTING, { from: checkpoint, to })
    else await resetCheckpoint(tx, FORGETTING, { epoch, position: to })
    return to < head
  })
