import type { ChatSession } from '../../../events/chat/chat.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { isErased } from '../../../events/chat/store/read-chat.ts'
import { resumeToken } from '../../../events/chat/store/resume-token.ts'
import { backAt } from '../../../events/settings/support-time.ts'
import type { ApiNode } from '../../node/node.ts'
import { isRated } from '../log/rating.ts'
import type { ChatHub, Missed } from '../room/hub.ts'
import { isAfter } from '../room/room.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import type { InTurn } from './entry-turns.ts'
import { expectValid, type Pass, renewPass } from './visitor-pass.ts'

const WELCOME = 'Thanks for reaching out! Someone from our team will be with you shortly.'
const WELCOME_AWAY =
  "Thanks for reaching out! We're offline right now. Leave a message and we'll reply when we're back."

const POLICY_VIOLATION = 1008

/** How a visitor enters: whether their chat had begun, by which of our greetings, and when it ended, if it has. */
type Entering = { resumed: boolean; pass: Pass; greeting: string | undefined; endTime: string | null }

type VisitorEntryOptions = { hub: ChatHub; inTurn: InTurn }

const tokenOf = ({ config }: ApiNode, sessionId: string, generation: number) =>
  resumeToken(config.signingKeys, sessionId, generation)

/** The frame that welcomes a visitor. */
const joinedFrame = async (
  node: ApiNode,
  sessionId: string,
  entering: Entering & { entered: Missed },
): Promise<ServerFrame> => {
  const { entered, resumed, pass, greeting } = entering
  return {
    type: 'chat_joined',
    sessionId,
    message: backAt(new Date(), node.settings.current.supportHours) ? WELCOME_AWAY : WELCOME,
    resumeToken: tokenOf(node, sessionId, pass.generation),
    resumed,
    isOwn: pass.isOwn,
    hasRated: pass.isOwn && entered.hasEnded && (await isRated(node.sql, sessionId)),
    ...(greeting !== undefined && { greeting }),
  }
}

/**
 * Adds visitors to their chat. A socket is in one of three states: entered, while the room holds back events; welcomed,
 * once it was sent the missed messages; removed, when its links are revoked or an entry fails.
 */
export const openVisitorEntry = (node: ApiNode, { hub, inTurn }: VisitorEntryOptions) => {
  const { admission } = node

  /** For the socket of each visitor in a chat, the function that releases its place. */
  const places = new Map<ChatSocket, () => void>()

  const leave = (socket: ChatSocket) => {
    places.get(socket)?.()
    places.delete(socket)
    socket.onLinksRevoked = undefined
    hub.leave(socket)
  }

  /** Removes a visitor from their chat: later frames are not accepted. */
  const putOut = (socket: ChatSocket) => {
    leave(socket)
    socket.role = undefined
    socket.flush(() => false)
  }

  /**
   * Sends an entered visitor the missed messages first, a page at a time as the client takes it, then current events.
   */
  const bringUpToDate = async (socket: ChatSocket, sessionId: string, entering: Entering & { entered: Missed }) => {
    const { entered, resumed, pass, endTime } = entering
    await expectValid(node, sessionId, pass, entered)
    socket.send(await joinedFrame(node, sessionId, entering))
    let missed = entered
    const sendPage = () => socket.sendWhole({ type: 'chat_history', sessionId, messages: missed.messages })
    while (resumed && (await sendPage()) && !missed.isWhole) {
      await admission.admit('history_pages', { address: socket.address, session: sessionId })
      const since = { afterSequence: missed.last, generation: pass.generation }
      missed = await inTurn(socket, () => hub.enter(socket, sessionId, since))
      await expectValid(node, sessionId, pass, missed)
    }
    const { last, staffReceipt, hasEnded } = missed
    if (staffReceipt.delivered > 0) socket.send({ type: 'receipt', sessionId, party: 'admin', ...staffReceipt })
    if (hasEnded) {
      const erased = (await isErased(node.sql, sessionId)) ? { isErased: true as const } : {}
      socket.send({ type: 'chat_ended', sessionId, ...erased, ...(endTime && { endedAt: endTime }) })
    }
    socket.flush(isAfter(sessionId, last))
  }

  const welcome = async (...[socket, sessionId, entering]: Parameters<typeof bringUpToDate>) => {
    try {
      await bringUpToDate(socket, sessionId, entering)
    } catch (error) {
      putOut(socket)
      throw error
    }
  }

  /** Adds a visitor to a session's room. */
  const bringIn = async (
    socket: ChatSocket,
    { sessionId, visitorName }: Pick<ChatSession, 'sessionId' | 'visitorName'>,
    { afterSequence, pass }: { afterSequence: number; pass: Pass },
  ): Promise<Missed> => {
    leave(socket)
    socket.role = undefined
    places.set(socket, admission.hold(pass.isOwn ? 'own_sockets_of_chat' : 'sockets_of_chat', sessionId))
    socket.onLinksRevoked = async () => {
      if (await renewPass(node, sessionId, pass)) {
        const { generation } = pass
        return socket.send({ type: 'resume_token', sessionId, resumeToken: tokenOf(node, sessionId, generation) })
      }
      pass.isRevoked = true
      if (socket.role?.type !== 'visitor' || socket.role.sessionId !== sessionId) return // it has closed during that time
      putOut(socket)
      // the client reconnects with its earlier token, and is notified that it is no longer valid
      socket.close(POLICY_VIOLATION, 'The links to this chat were revoked')
    }
    try {
      const entered = await hub.enter(socket, sessionId, { afterSequence, generation: pass.generation })
      socket.role = { type: 'visitor', sessionId, name: visitorName, isOwn: pass.isOwn }
      return entered
    } catch (error) {
      leave(socket)
      throw error
    }
  }

  return { leave, bringIn, welcome }
}
