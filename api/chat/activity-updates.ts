import type { ChatNotification } from '../../events/log/chat-notifications.ts'
import type { Consoles } from './consoles.ts'
import type { RoomRegistry } from './room-registry.ts'

/** Whom notifications of a channel concern. */
export type Audience = 'visitors' | 'staff'

type Told<Kind extends ChatNotification['kind']> = ChatNotification & { kind: Kind }

/**
 * Shows what is around the messages, and in no log: who types, receipts, pages. Where there is no room, only staff want
 * to know it.
 */
export const openActivityUpdates = ({ registry, staff }: { registry: RoomRegistry; staff: Consoles }) => ({
  showTyping: ({ kind: _, ...typing }: Told<'typing'>, audience: Audience): void => {
    if (audience === 'staff' && typing.senderType === 'visitor') staff.tell({ type: 'typing', ...typing })
    if (audience === 'visitors' && typing.senderType === 'admin') {
      for (const socket of registry.get(typing.sessionId)?.visitors.keys() ?? []) {
        socket.push({ type: 'typing', ...typing })
      }
    }
  },

  showReceipt: ({ kind: _, ...receipt }: Told<'receipt'>, audience: Audience): void => {
    const room = registry.get(receipt.sessionId)
    if (room) room.activity.acceptReceipt(receipt.party, receipt)
    else if (audience === 'staff') staff.tell({ type: 'receipt', ...receipt })
  },

  showPage: ({ kind: _, sessionId, ...page }: Told<'page'>, audience: Audience): void => {
    const { pageUrl, timestamp } = page
    const room = registry.get(sessionId)
    if (room) room.activity.acceptPage(page)
    else if (audience === 'staff') staff.tell({ type: 'page_viewed', sessionId, pageUrl, timestamp })
  },
})
