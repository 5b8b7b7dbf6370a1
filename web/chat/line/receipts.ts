import type { NewWord } from '../../../events/base/word.ts'
import { furthest, type Party, type Receipt, type Receipts } from '../../../events/chat/activity.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { type Conversation, unbrokenUpTo } from './conversation.ts'

/** How far one's own message has come. */
export type Mark = 'Sent' | 'Delivered' | 'Seen'

const NOTHING: Receipt = { delivered: 0, seen: 0 }

const isParty = (party: Party | NewWord): party is Party => party === 'visitor' || party === 'admin'

/**
 * Both parties' receipts after one of them got further. A late receipt takes nothing back, one of a new party is passed
 * over.
 */
export const withReceipt = (receipts: Receipts, party: Party | NewWord, receipt: Receipt): Receipts =>
  isParty(party) ? { ...receipts, [party]: furthest(receipts[party], receipt) } : receipts

/** The mark of a message, by the receipt of those that it was written to. */
export const markOf = (sequence: number, { delivered, seen }: Receipt): Mark => {
  if (seen >= sequence) return 'Seen'
  return delivered >= sequence ? 'Delivered' : 'Sent'
}

/**
 * The marks that stand at a party's messages, by their ids: at the last of each run, and at the last that was seen, so
 * that one can tell up to where the other side has read.
 */
export const marksOf = (
  messages: readonly ChatMessage[],
  party: Party,
  receipt: Receipt,
): ReadonlyMap<string, Mark> => {
  const lastSeen = messages.findLast(({ senderType, sequence }) => senderType === party && sequence <= receipt.seen)
  const marked = messages.filter(
    (message, index) =>
      message === lastSeen || (message.senderType === party && messages[index + 1]?.senderType !== party),
  )
  return new Map(marked.map(({ id, sequence }) => [id, markOf(sequence, receipt)]))
}

/**
 * How far this client has got with what the other side wrote. What comes after a hole has not arrived yet; nothing is seen
 * while nobody looks.
 */
export const reached = (conversation: Conversation, from: Party, known: Receipt, isLooking: boolean): Receipt => {
  const whole = unbrokenUpTo(conversation)
  const last = conversation.messages.findLast(({ senderType, sequence }) => senderType === from && sequence <= whole)
  const delivered = last?.sequence ?? 0
  return furthest(known, { delivered, seen: isLooking ? delivered : 0 })
}

/** Tells the server of each advance once; on a new connection, again what it has not confirmed. */
export const openReporter = (send: (sessionId: string, receipt: Receipt) => boolean) => {
  const told = new Map<string, Receipt>()
  return {
    /** `known` is what the server has. */
    report: (sessionId: string, now: Receipt, known: Receipt) => {
      const before = furthest(known, told.get(sessionId) ?? NOTHING)
      if (now.delivered <= before.delivered && now.seen <= before.seen) return
      if (send(sessionId, now)) told.set(sessionId, now)
    },
    forget: () => told.clear(),
  }
}
