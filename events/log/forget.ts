import { chatStream, messageStream, sessionIdOf } from '../chat.ts'
import { chatDeskStream } from '../chat-desk.ts'
import { inTransaction, type Sql } from './connection.ts'
import { type Queryable, readHead } from './read.ts'

const CONSUMER = 'forget'

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 20_000

type Erasure = { position: number; stream: string; type: 'LeadErased' | 'ChatErased' }

/** The streams that an erasure is about: a lead's own, all three of a chat. */
const streamsOf = ({ type, stream }: Erasure) => {
  if (type === 'LeadErased') return [stream]
  const sessionId = sessionIdOf(stream)
  return [chatStream(sessionId), messageStream(sessionId), chatDeskStream(sessionId)]
}

const forgetPersonal = async (tx: Queryable, erasure: Erasure) => {
  await tx`
    update events set personal = null
    where stream = any(${streamsOf(erasure)}) and position < ${erasure.position} and personal is not null`
}

/** Makes the checkpoint of forgetting where there is none. */
export const prepareForgetting = async (sql: Sql): Promise<void> => {
  const { epoch } = await readHead(sql)
  await sql`insert into checkpoints (consumer, epoch) values (${CONSUMER}, ${epoch}) on conflict do nothing`
}

/**
 * Takes what is personal out of the events of leads and chats that were erased, up to their erasure: the one change that
 * the log ever sees. A step looks through the next part of the log and is one transaction: whoever dies in it has done
 * nothing. Forgetting twice changes nothing, so that after a restored backup it simply begins anew: that has it all again.
 * Answers whether there may be more.
 */
export const forget = (sql: Sql): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const locked = await tx<{ position: number; epoch: string }[]>`
      select position, epoch from checkpoints where consumer = ${CONSUMER} for update skip locked`
    const [checkpoint] = locked
    if (!checkpoint) return false
    const head = await readHead(tx)
    const isOfThisLog = checkpoint.epoch === head.epoch && checkpoint.position <= head.position
    const from = isOfThisLog ? checkpoint.position : 0
    const to = Math.min(from + STEP_EVENTS, head.position)
    if (isOfThisLog && to === from) return false
    const erasures = await tx<Erasure[]>`
      select position, stream, type from events
      where position > ${from} and position <= ${to} and type in ('LeadErased', 'ChatErased') order by position`
    for (const erasure of erasures) await forgetPersonal(tx, erasure)
    await tx`update checkpoints set position = ${to}, epoch = ${head.epoch} where consumer = ${CONSUMER}`
    return to < head.position
  })
