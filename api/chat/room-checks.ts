import { LogIntegrityError } from '../../events/log/errors.ts'
import { KeyError } from '../../events/log/key-ring.ts'
import type { ApiNode } from '../node.ts'
import { openChatFactReader } from './chat-fact-reader.ts'
import { keepChecking } from './log-checks.ts'
import type { RoomRegistry } from './room-registry.ts'
import type { RoomUpdates } from './room-updates.ts'
import { refreshActivities } from './stored-activity.ts'

/** How many sessions' receipts and pages are looked up at a time. */
const ACTIVITIES_A_CHECK = 500

/** Compares a node's rooms with the log and with what is stored, for what the bus may have lost. */
export const openRoomChecks = (
  { sql, bus }: Pick<ApiNode, 'sql' | 'bus'>,
  {
    registry,
    updates,
    onError,
  }: {
    registry: RoomRegistry
    updates: Pick<RoomUpdates, 'handleFact' | 'tellRemovals'>
    onError: (error: unknown) => void
  },
) => {
  let nextActivity = 0

  /** A chat that this node can never read must not block the other chats. */
  const passOver = (error: unknown) => {
    if (!(error instanceof KeyError || error instanceof LogIntegrityError)) throw error
    onError(error)
  }

  const reader = openChatFactReader(sql, async (facts) => {
    for (const fact of facts) await updates.handleFact(fact).catch(passOver)
  })

  /** Receipts and pages are in no log: some sessions' at a time are compared with what is stored, in turn. */
  const refreshSomeActivities = async () => {
    const activities = registry.all().map(({ activity }) => activity)
    if (nextActivity >= activities.length) nextActivity = 0
    const some = activities.slice(nextActivity, nextActivity + ACTIVITIES_A_CHECK)
    nextActivity += ACTIVITIES_A_CHECK
    if (some.length > 0) await refreshActivities(sql, some)
  }

  const compare = async () => {
    const began = performance.now()
    await reader.readOn()
    await updates.tellRemovals()
    // the reader is past all that was told in these rooms, so that they may close
    registry.closeIdle(began)
    await refreshSomeActivities()
  }

  return {
    ...keepChecking(bus, compare, onError),
    /** The position in the log up to which this node has read. */
    position: reader.position,
  }
}
