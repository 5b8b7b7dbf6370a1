import type { ListedSessions } from '../../events/chat-frames.ts'
import { ALL_SESSIONS } from '../../events/log/chat-notifications.ts'
import type { ApiNode } from '../node.ts'
import { listActive } from './active-page.ts'
import type { ChatSocket } from './chat-socket.ts'
import type { Consoles } from './consoles.ts'
import type { RoomRegistry } from './room-registry.ts'
import type { StaffWatch } from './staff-watch.ts'

/** Brings staff into a node and out of it. While there are any, `hear` gets what is told of all sessions. */
export const openStaffEntry = (
  { sql, bus }: Pick<ApiNode, 'sql' | 'bus'>,
  {
    staff,
    watch,
    registry,
    hear,
    check,
    tellRemovals,
  }: {
    staff: Consoles
    watch: StaffWatch
    registry: RoomRegistry
    hear: (text: string) => void
    check: () => Promise<void>
    tellRemovals: () => Promise<void>
  },
) => {
  const stopWatching = () => {
    watch.leave()
    if (watch.isOn) return
    bus.unsubscribe(ALL_SESSIONS, hear)
    registry.closeEmpty()
  }

  const enter = async (socket: ChatSocket, listed?: readonly string[]): Promise<ListedSessions> => {
    const isNew = !staff.has(socket)
    if (isNew) watch.join()
    socket.pause()
    try {
      await bus.subscribe(ALL_SESSIONS, hear)
      // what is told from here on is what happens from here on
      await check()
      // a look that was under way may have been past the accounts: who is removed from here on is told
      await tellRemovals()
      staff.add(socket, listed !== undefined)
      return await listActive(sql, listed ?? [])
    } catch (error) {
      socket.flush(() => false)
      if (isNew) {
        staff.delete(socket)
        stopWatching()
      }
      throw error
    }
  }

  return {
    enter,
    leave: (socket: ChatSocket): void => {
      if (staff.delete(socket)) stopWatching()
    },
  }
}
