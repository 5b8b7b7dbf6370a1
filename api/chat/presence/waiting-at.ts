import { chatsToLookUp, type WaitingAt } from '../../../events/chat/store/list.ts'
import type { ApiNode } from '../../node/node.ts'
import { readArrivals } from './presence-store.ts'

/** Of more visitors who cannot be reached, those who wrote first count as gone. */
const MAX_LOOKED_UP = 1_000

/** The parameters by which waiting visitors are counted now. While Redis is unavailable, no visitor counts as gone. */
export const waitingAt = async (
  node: Pick<ApiNode, 'reading' | 'redis' | 'bus'>,
  now = new Date(),
): Promise<WaitingAt> => {
  const ids = await chatsToLookUp(node.reading, now, MAX_LOOKED_UP)
  const arrivals = await readArrivals(node, ids).catch(() => undefined)
  return { now, here: arrivals ? [...arrivals.keys()] : ids }
}
