import type { NewWord } from '../../../events/base/word.ts'
import { furthest, type Receipt, type Receipts } from '../../../events/chat/activity.ts'
import type { Party } from '../../../events/chat/parties.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { type Conversation, unbrokenUpTo } from './conversation.ts'

/** The tick of one's own message. */
export type Tick = 'Sent' | 'Delivered' | 'Seen'

const NOTHING: Receipt = { delivered: 0, seen: 0 }

const isParty = (party: Party | NewWord): party is Party => party === 'visitor' || party === 'admin'

/**
 * Both parties' receipts after one of them advanced. A late receipt changes nothing, one of an unknown party is
 * ignored.
 */
export const withReceipt = (receipts: Receipts, party: Party | NewWord, receipt: Receipt): Receipts =>
  isParty(party) ? { ...receipts, [party]: furthest(receipts[party], receipt) } : receipts

/** The tick of a message, by the receipt of its recipients. */
export const tickOf = (sequence: number, { delivered, seen }: Receipt): Tick => {
  if (seen >= sequence) return 'Seen'
  return delivered >= sequence ? 'Delivered' : 'Sent'
}

/**
 * The ticks at a party's messages, by message id: at the last of each run, and at the last seen message, to show up to
 * where the other side has read.
 */
export const ticksOf = (
  messages: readonly ChatMessage[],
  party: Party,
  receipt: Receipt,
): ReadonlyMap<string, Tick> => {
  const lastSeen = messages.findLast(({ senderType, sequence }) => senderType === party && sequence <= receipt.seen)
  const ticked = messages.filter(
    (message, index) =>
      message === lastSeen || (message.senderType === party && messages[index + 1]?.senderType !== party),
  )
  return new Map(ticked.map(({ id, sequence }) => [id, tickOf(sequence, receipt)]))
}

/**
 * This client's receipt for the other side's messages. Messages after a gap have not arrived yet; none is seen while
 * the chat is out of view.
 */
export const reached = (conversation: Conversation, from: Party, known: Receipt, isLooking: boolean): Receipt => {
  const whole = unbrokenUpTo(conversation)
  const last = conversation.messages.findLast(({ senderType, sequence }) => senderType === from && sequence <= whole)
  const delivered = last?.sequence ?? 0
  return furthest(known, { delivered, seen: isLooking ? delivered : 0 })
}

/** Reports each advance to the server once; on a new connection, again those not confirmed. */
export const openReporter = (send: (sessionId: string, receipt: Receipt) => boolean) => {
  const sent = new Map<string, Receipt>()
  return {
    /** `known` is the server's receipt. */
    report: (sessionId: string, now: Receipt, known: Receipt) => {
      const before = furthest(known, sent.get(sessionId) ?? NOTHING)
      if (now.delivered <= before.delivered && now.seen <= before.seen) return
      if (send(sessionId, now)) sent.set(sessionId, now)
    },
    reset: () => sent.clear(),
  }
}
