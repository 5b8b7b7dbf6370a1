import * as v from 'valibot'
import type { Viewer } from '../../../events/chat/sent-frames.ts'

/** A node that was not found in Redis for this long has died, or is cut off. */
const NODE_EXPIRES_MS = 5_000
/**
 * A visitor who is missing counts as gone only after this time: they may just have arrived, or Redis was just emptied.
 */
const SETTLE_MS = 2_000
/** The delay after a failed read: other nodes may reach Redis later. */
const RECOVERY_MS = 10_000

const look = v.object({ sessionId: v.string(), staffId: v.string(), name: v.string(), isTyping: v.boolean() })

/** The chats that the staff of a node view. `version` grows with each change. */
export const nodeLooks = v.object({ version: v.number(), looks: v.array(look) })

export type Look = v.InferOutput<typeof look>
export type NodeLooks = v.InferOutput<typeof nodeLooks>

/** The presence on one node. `arrivals`: since when visitors are connected, in ms, by session id. */
export type NodePart = NodeLooks & { arrivals: ReadonlyMap<string, number> }

/**
 * The presence known to one node. `seenAt` is when a node's part was last found, `askedAt` since when reads have
 * included a session's visitor, `failedAt` when a read last failed.
 */
export type PresenceState = {
  parts: ReadonlyMap<string, NodePart & { seenAt: number }>
  askedAt: ReadonlyMap<string, number>
  failedAt: number
}

export type PresenceMessage =
  /** The part of this node itself. */
  | { type: 'own'; node: string; part: NodePart }
  /** A node has published the chats that its staff view. */
  | { type: 'looks'; node: string; looks: NodeLooks }
  /** The parts of all nodes were read, with the arrivals of these sessions. */
  | { type: 'read'; parts: ReadonlyMap<string, NodePart>; sessionIds: readonly string[] }
  /** Redis is unavailable. */
  | { type: 'unreadable' }

export const NO_PRESENCE: PresenceState = {
  parts: new Map(),
  askedAt: new Map(),
  failedAt: Number.NEGATIVE_INFINITY,
}

const livingParts = ({ parts }: PresenceState, now: number) =>
  new Map([...parts].filter(([, { seenAt }]) => now - seenAt < NODE_EXPIRES_MS))

/** Returns the state after a message. An older version of a node's views changes nothing. */
export const merge = (state: PresenceState, message: PresenceMessage, now: number): PresenceState => {
  switch (message.type) {
    case 'own': {
      const part = { ...message.part, seenAt: Number.POSITIVE_INFINITY }
      return { ...state, parts: new Map(state.parts).set(message.node, part) }
    }
    case 'looks': {
      const known = state.parts.get(message.node)
      if (known && known.version >= message.looks.version) return state
      const part = { arrivals: new Map(), ...known, ...message.looks, seenAt: now }
      return { ...state, parts: new Map(state.parts).set(message.node, part) }
    }
    case 'read': {
      const parts = livingParts(state, now)
      for (const [node, found] of message.parts) {
        const known = parts.get(node)
        const { version, looks } = known && known.version > found.version ? known : found
        parts.set(node, { version, looks, arrivals: found.arrivals, seenAt: now })
      }
      return { ...state, parts, askedAt: new Map(message.sessionIds.map((id) => [id, state.askedAt.get(id) ?? now])) }
    }
    case 'unreadable':
      return { parts: livingParts(state, now), askedAt: new Map(), failedAt: now }
    default:
      return message satisfies never
  }
}

/** Since when the visitor of a session is connected to any node, in ms; null if they have left, undefined if unknown. */
export const arrivalOf = (
  { parts, askedAt, failedAt }: PresenceState,
  sessionId: string,
  now: number,
): number | null | undefined => {
  const arrivals = [...parts.values()].flatMap((part) => part.arrivals.get(sessionId) ?? [])
  if (arrivals.length > 0) return Math.min(...arrivals)
  const isSettled = now - (askedAt.get(sessionId) ?? now) >= SETTLE_MS && now - failedAt >= RECOVERY_MS
  return isSettled ? null : undefined
}

/** The staff who view each session; a staff member with two consoles counts once. */
export const viewersOf = ({ parts }: PresenceState): Map<string, Viewer[]> => {
  const looks = [...parts.values()].flatMap((part) => part.looks)
  const viewers = [...Map.groupBy(looks, ({ sessionId }) => sessionId)].map(([sessionId, all]) => {
    const staff = [...Map.groupBy(all, ({ staffId }) => staffId)].map(([staffId, same]) => ({
      staffId,
      name: same[0]?.name ?? '',
      isTyping: same.some(({ isTyping }) => isTyping),
    }))
    return [sessionId, staff.sort((a, b) => a.staffId.localeCompare(b.staffId))] as const
  })
  return new Map(viewers)
}
