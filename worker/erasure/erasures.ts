import {
  advanceActingConsumer,
  assertSameHistory,
  prepareActingConsumer,
  readCheckpoint,
} from '../../events/log/checkpoints.ts'
import type { Sql } from '../../events/log/connection.ts'
import { contextCausedBy, runWith } from '../../events/log/context.ts'
import { type Erasing, eraseAll } from '../../events/log/erase.ts'
import { ERASURE_EVENTS, ERASURES } from '../../events/log/erasures.ts'
import { noteErasedInImports } from '../../events/log/import-erasures.ts'
import { readDeclared } from '../../events/log/read.ts'

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 1_000

/** Makes the checkpoint of erasures where there is none. */
export const prepareErasures = (sql: Sql): Promise<void> => prepareActingConsumer(sql, ERASURES)

/**
 * Carries out the next erasure that an owner has asked for: at most 100 leads and chats a step, however many are asked for.
 * The request in the log names them, so that nobody goes who came later. Files that are being imported leave their people
 * out from then on. A step that was broken off is done again; what
 * was erased in it already stays as it is, so that two workers are safe too. Returns whether there may be more.
 */
export const carryOutErasures = async (erasing: Erasing): Promise<boolean> => {
  const { sql } = erasing
  const checkpoint = await readCheckpoint(sql, ERASURES)
  if (!checkpoint) throw new Error('The erasures have no checkpoint')
  assertSameHistory(ERASURES, checkpoint)
  if (checkpoint.position === checkpoint.head) return false
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, STEP_EVENTS, {
    types: ERASURE_EVENTS,
  })
  const request = events.find((event) => event.type === 'ErasureRequested')
  if (request) {
    await noteErasedInImports(sql, request.data)
    await runWith(contextCausedBy(request, ERASURES.name), () => eraseAll(erasing, request.data))
  }
  await advanceActingConsumer(sql, ERASURES, { from: checkpoint, to: request?.position ?? position })
  return hasMore || request !== undefined
}
