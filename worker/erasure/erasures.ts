import { ERASURES } from '../../events/consumers/acting-consumers.ts'
import { type Erasing, eraseAll } from '../../events/erasure/append-erasures.ts'
import { noteErasedInImports } from '../../events/erasure/import-erasures.ts'
import { contextCausedBy, runWith } from '../../events/process/context.ts'
import { actOnLog } from '../consumers/act-on-log.ts'

/** How much of the log is looked through in one step. */
const STEP_EVENTS = 1_000

/**
 * Carries out the next erasure that an owner has requested: at most 100 leads and chats per step, however many are
 * requested. The request in the log names them, so that later people are not erased. Files that are being imported
 * leave these people out from then on. A step that was broken off is repeated; its erasures stay, so that two workers
 * are safe too. Returns whether there may be more.
 */
export const carryOutErasures = (erasing: Erasing): Promise<boolean> =>
  actOnLog(erasing.sql, ERASURES, { limit: STEP_EVENTS }, async (events) => {
    const request = events.find((event) => event.type === 'ErasureRequested')
    if (!request) return undefined
    const { leads, by } = request.data
    // data that was only old may come again
    if (by !== null) await noteErasedInImports(erasing.sql, { leads, by })
    await runWith(contextCausedBy(request, ERASURES.name), () => eraseAll(erasing, request.data))
    return request.position
  })
