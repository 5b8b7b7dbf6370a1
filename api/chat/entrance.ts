import type { ChatSession } from '../../events/chat.ts'
import { linkGeneration } from '../../events/log/chat-links.ts'
import type { ChatNews } from '../../events/log/chat-news.ts'
import { notePage } from '../../events/log/chat-pages.ts'
import { isErased } from '../../events/log/read-chat.ts'
import { resumeToken, tokenGeneration } from '../../events/log/resume-token.ts'
import { backAt } from '../../events/support-hours.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Frame, FrameError } from './frame.ts'
import { isAfter } from './room.ts'
import type { Rooms } from './rooms.ts'
import { isOver, readSession, sessionIdFor, startSession } from './session-log.ts'

const WELCOME = 'Thanks for reaching out! Someone from our team will be with you shortly.'
const WELCOME_AWAY =
  "Thanks for reaching out! We're offline right now. Leave a message and we'll reply when we're back."

const POLICY_VIOLATION = 1008

/**
 * What a visitor came in by: the generation of links that works as far as their socket knows, and whether the chat is
 * their own, since they have the key that began it. They stay when the links are revoked.
 */
type Pass = { generation: number; isOwn: boolean }

/** How somebody comes in: whether their chat had begun, and what their page asks for. */
type Entering = { resumed: boolean; pass: Pass } & Asked

/** What a page knows and asks a node for: files, and an address that is given later. */
type Asked = Pick<Frame<'join_chat'>, 'asksForFiles' | 'asksForEmail'>

type Missed = Awaited<ReturnType<Rooms['enter']>>

const cannotResume = () => new FrameError('unknown_session', 'This chat cannot be resumed: join without a sessionId')

/** Where visitors come in, for a new chat or back to theirs. */
export type Entrance = {
  join: (socket: ChatSocket, frame: Frame<'join_chat'>) => Promise<void>
  leave: (socket: ChatSocket) => void
}

/** Opens a node's entrance. */
export const openEntrance = (node: ApiNode, rooms: Rooms, publish: (news: ChatNews) => Promise<void>): Entrance => {
  const { config, logger, admission } = node

  /** How the visitors who are in a chat give their place there back. */
  const places = new Map<ChatSocket, () => void>()

  const leave = (socket: ChatSocket) => {
    places.get(socket)?.()
    places.delete(socket)
    socket.onLinksRevoked = undefined
    rooms.leave(socket)
  }

  const tokenOf = (sessionId: string, generation: number) => resumeToken(config.secretKeys, sessionId, generation)

  /** Whether a pass still works. A visitor whose chat it is gets the token that works by now. */
  const renew = async (socket: ChatSocket, sessionId: string, pass: Pass): Promise<boolean> => {
    const generation = await linkGeneration(node.sql, sessionId)
    if (generation <= pass.generation) return true
    if (!pass.isOwn) return false
    pass.generation = generation
    socket.push({ type: 'resume_token', sessionId, resumeToken: tokenOf(sessionId, generation) })
    return true
  }

  /** Puts a visitor out of their chat: what they still send is not taken. */
  const putOut = (socket: ChatSocket) => {
    leave(socket)
    socket.role = undefined
    socket.release(() => false)
  }

  /** Tells a visitor who has entered what they missed first, a page at a time as the client takes it, then what follows. */
  const welcome = async (
    socket: ChatSocket,
    sessionId: string,
    { entered, resumed, pass, asksForFiles, asksForEmail }: Entering & { entered: Missed },
  ) => {
    // the room tells of revocations from here on, and this finds those of before
    if (resumed && !(await renew(socket, sessionId, pass))) throw cannotResume()
    const message = backAt(new Date(), node.settings.current.supportHours) ? WELCOME_AWAY : WELCOME
    const token = tokenOf(sessionId, pass.generation)
    const takes = {
      ...(asksForFiles && { takesFiles: true as const }),
      // answers must not be turned to whoever has a link
      ...(asksForEmail && pass.isOwn && { takesEmail: true as const }),
    }
    socket.send({ type: 'chat_joined', sessionId, message, resumeToken: token, resumed, ...takes })
    let missed = entered
    const tell = () => socket.sendWhole({ type: 'chat_history', sessionId, messages: missed.messages })
    while (resumed && (await tell()) && !missed.isWhole) missed = await rooms.enter(socket, sessionId, missed.last)
    const { last, staffReceipt, hasEnded } = missed
    if (staffReceipt.delivered > 0) socket.send({ type: 'receipt', sessionId, party: 'admin', ...staffReceipt })
    if (hasEnded) {
      const erased = (await isErased(node.sql, sessionId)) ? { isErased: true as const } : {}
      socket.send({ type: 'chat_ended', sessionId, ...erased })
    }
    socket.release(isAfter(sessionId, last))
  }

  /** Brings a visitor into a session. */
  const enter = async (
    socket: ChatSocket,
    { sessionId, visitorName }: Pick<ChatSession, 'sessionId' | 'visitorName'>,
    { afterSequence, ...entering }: Entering & { afterSequence: number },
  ) => {
    const letGo = admission.hold(entering.pass.isOwn ? 'own_sockets_of_chat' : 'sockets_of_chat', sessionId)
    leave(socket)
    places.set(socket, letGo)
    socket.role = undefined
    socket.onLinksRevoked = async () => {
      if (await renew(socket, sessionId, entering.pass)) return
      if (socket.role?.type !== 'visitor' || socket.role.sessionId !== sessionId) return // it has gone meanwhile
      putOut(socket)
      // the client comes back with the token of before, and is told that this one leads nowhere
      socket.close(POLICY_VIOLATION, 'The links to this chat were revoked')
    }
    const entered = await rooms.enter(socket, sessionId, afterSequence)
    socket.role = { type: 'visitor', sessionId, name: visitorName, isOwn: entering.pass.isOwn }
    try {
      await welcome(socket, sessionId, { ...entering, entered })
    } catch (error) {
      putOut(socket)
      throw error
    }
  }

  /** The visitor has joined already: a page that cannot be stored now is stored when they come to the next. */
  const followPage = async (session: ChatSession, pageUrl: string | null) => {
    const { sessionId } = session
    try {
      if (!(await admission.hasRoom('page_views', { session: sessionId }))) return
      const page = await notePage(node.sql, session, pageUrl)
      if (page) await publish({ kind: 'page', sessionId, ...page })
    } catch (error) {
      logger.error({ err: error }, 'a visited page could not be stored')
    }
  }

  const resume = async (
    socket: ChatSocket,
    sessionId: string,
    { resumeToken: token, joinKey, afterSequence, pageUrl, asksForFiles, asksForEmail }: Frame<'join_chat'>,
  ) => {
    await admission.admit('joins', { address: socket.address })
    const given = tokenGeneration(config.secretKeys, sessionId, token ?? '')
    if (given === undefined) throw cannotResume()
    const isOwn = joinKey !== undefined && sessionIdFor(joinKey) === sessionId
    // strangers without its token cannot use up what a chat may do, nor those with a link what its own device may
    await admission.admit('joins', { session: isOwn ? `own ${sessionId}` : sessionId })
    const generation = await linkGeneration(node.sql, sessionId)
    const mayComeBack = (given === generation || isOwn) && !(await isOver(node, sessionId))
    const session = mayComeBack ? await readSession(node, sessionId) : undefined
    if (!session) throw cannotResume()
    await enter(socket, session, {
      resumed: true,
      afterSequence: afterSequence ?? 0,
      pass: { generation, isOwn },
      asksForFiles,
      asksForEmail,
    })
    if (session.isActive) await followPage(session, pageUrl)
  }

  /** A join that finds its chat begun, or cannot begin it, is no new chat. */
  const begin = async (visitor: Parameters<typeof startSession>[1], joinKey: string | undefined, address: string) => {
    let isNew = false
    try {
      const started = await startSession(node, visitor, joinKey)
      isNew = started.isNew
      return started
    } finally {
      if (!isNew) await admission.giveBack('new_chats', { address })
    }
  }

  const start = async (
    socket: ChatSocket,
    { visitorName, visitorEmail, pageUrl, joinKey, asksForFiles, asksForEmail }: Frame<'join_chat'>,
  ) => {
    const { address } = socket
    await admission.admit('joins', { address })
    const isBusy = socket.role?.type === 'visitor' && (await readSession(node, socket.role.sessionId))?.isActive
    if (isBusy) {
      throw new FrameError('not_allowed', 'This socket is in a chat already: end it, or open another socket')
    }
    await admission.admit('new_chats', { address })
    const visitor = { visitorName, visitorEmail, pageUrl, userAgent: socket.userAgent }
    const { session, isNew } = await begin(visitor, joinKey, address)
    const pass = { generation: 0, isOwn: true }
    await enter(socket, session, { resumed: !isNew, afterSequence: 0, pass, asksForFiles, asksForEmail })
    if (!session.isActive) return
    await publish({ kind: 'started', session })
    if (!isNew) await followPage(session, pageUrl)
  }

  return {
    leave,
    join: (socket, frame) =>
      frame.sessionId === undefined ? start(socket, frame) : resume(socket, frame.sessionId, frame),
  }
}
