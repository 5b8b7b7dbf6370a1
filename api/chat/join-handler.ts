import type { ChatSession } from '../../events/chat.ts'
import { linkGeneration } from '../../events/log/chat-links.ts'
import type { ChatNotification } from '../../events/log/chat-notifications.ts'
import { notePage } from '../../events/log/chat-pages.ts'
import { isErased } from '../../events/log/read-chat.ts'
import { resumeToken, tokenGeneration } from '../../events/log/resume-token.ts'
import { BusyError, openPlaces } from '../../events/log/slots.ts'
import { backAt } from '../../events/support-hours.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Frame, FrameError } from './frame.ts'
import { openLine } from './line.ts'
import { isAfter } from './room.ts'
import type { Missed, Rooms } from './rooms.ts'
import { readSession, readStanding, sessionIdFor, startSession } from './session-log.ts'

const WELCOME = 'Thanks for reaching out! Someone from our team will be with you shortly.'
const WELCOME_AWAY =
  "Thanks for reaching out! We're offline right now. Leave a message and we'll reply when we're back."

const POLICY_VIOLATION = 1008

/**
 * How many visitors a node lets in at a time: enough to keep its connections to Postgres at work, and so few that what is
 * asked for by those who are in a chat waits for a handful of statements.
 */
const ENTERING_AT_ONCE = 8
/** How long a visitor stands in line at most, in milliseconds. Then they are told to ask again, on the same socket. */
const STAND_IN_LINE_MS = 20_000
/** How many visited pages are stored at a time, and how many wait for that: what is more is stored with the next page. */
const PAGES_AT_ONCE = 2
const PAGES_WAITING = { most: 5_000, ms: 60_000 }

/**
 * What a visitor came in by: the generation of links that works as far as their socket knows, and whether the chat is
 * their own, since they have the key that began it. They stay when the links are revoked; for others `isRevoked` is set.
 */
type Pass = { generation: number; isOwn: boolean; isRevoked: boolean }

/** How somebody comes in: whether their chat had begun, and what their page asks for. */
type Entering = { resumed: boolean; pass: Pass } & Asked

/** What a page knows and asks a node for: files, and an address that is given later. */
type Asked = Pick<Frame<'join_chat'>, 'asksForFiles' | 'asksForEmail'>

const laterPlease = () => new FrameError('unavailable', 'Many people come in just now: try again')

const cannotResume = () => new FrameError('unknown_session', 'This chat cannot be resumed: join without a sessionId')

/** Where visitors come in, for a new chat or back to theirs. */
export type JoinHandler = {
  join: (socket: ChatSocket, frame: Frame<'join_chat'>) => Promise<void>
  leave: (socket: ChatSocket) => void
}

/** Opens a node's join handler. */
export const openJoinHandler = (
  node: ApiNode,
  rooms: Rooms,
  publish: (notification: ChatNotification) => Promise<void>,
): JoinHandler => {
  const { config, logger, admission, metrics } = node

  /** How the visitors who are in a chat give their place there back. */
  const places = new Map<ChatSocket, () => void>()

  /** Those who come in. A socket stands in line once: its frames come one by one. */
  const line = openLine({ places: ENTERING_AT_ONCE, waitMs: STAND_IN_LINE_MS })
  const pages = openPlaces(PAGES_AT_ONCE, PAGES_WAITING)
  /** The pages of a chat that are being stored: in the order in which its visitor went to them. */
  const storing = new Map<string, Promise<void>>()

  /** Does what a visitor's coming in reads and writes once it is their turn. Nothing is done for one who has gone meanwhile. */
  const inTurn = async <T>(socket: ChatSocket, work: () => Promise<T>): Promise<T> => {
    // a page that asks whether its connection is alive is answered behind its join: this tells it before
    const standing = line.stand(socket.address, () => socket.send({ type: 'pong' }))
    metrics.waiting.set(line.waiting)
    if (!(await standing)) {
      metrics.waitedTooLong.inc()
      throw laterPlease()
    }
    try {
      if (!socket.isOpen) throw laterPlease()
      return await work()
    } finally {
      line.leave()
      metrics.waiting.set(line.waiting)
    }
  }

  const leave = (socket: ChatSocket) => {
    places.get(socket)?.()
    places.delete(socket)
    socket.onLinksRevoked = undefined
    rooms.leave(socket)
  }

  const tokenOf = (sessionId: string, generation: number) => resumeToken(config.secretKeys, sessionId, generation)

  /** Whether a pass still works. That of a visitor whose chat it is works on, by the links of now. */
  const renew = async (sessionId: string, pass: Pass): Promise<boolean> => {
    const generation = await linkGeneration(node.sql, sessionId)
    if (generation <= pass.generation) return true
    if (!pass.isOwn) return false
    pass.generation = generation
    return true
  }

  /** Puts a visitor out of their chat: what they still send is not taken. */
  const putOut = (socket: ChatSocket) => {
    leave(socket)
    socket.role = undefined
    socket.flush(() => false)
  }

  /** Refuses a visitor whose links were revoked: before their room was read, which `entered` tells, or while it was. */
  const expectValid = async (sessionId: string, pass: Pass, entered: Missed) => {
    if (pass.isRevoked || (entered.isRevoked && !(await renew(sessionId, pass)))) throw cannotResume()
  }

  /** Tells a visitor who has entered what they missed first, a page at a time as the client takes it, then what follows. */
  const bringUpToDate = async (
    socket: ChatSocket,
    sessionId: string,
    { entered, resumed, pass, asksForFiles, asksForEmail }: Entering & { entered: Missed },
  ) => {
    await expectValid(sessionId, pass, entered)
    const message = backAt(new Date(), node.settings.current.supportHours) ? WELCOME_AWAY : WELCOME
    const token = tokenOf(sessionId, pass.generation)
    const takes = {
      ...(asksForFiles && { takesFiles: true as const }),
      // answers must not be turned to somebody who has a link
      ...(asksForEmail && pass.isOwn && { takesEmail: true as const }),
    }
    socket.send({ type: 'chat_joined', sessionId, message, resumeToken: token, resumed, ...takes })
    let missed = entered
    const tell = () => socket.sendWhole({ type: 'chat_history', sessionId, messages: missed.messages })
    while (resumed && (await tell()) && !missed.isWhole) {
      await admission.admit('history_pages', { address: socket.address, session: sessionId })
      const since = { afterSequence: missed.last, generation: pass.generation }
      missed = await inTurn(socket, () => rooms.enter(socket, sessionId, since))
      await expectValid(sessionId, pass, missed)
    }
    const { last, staffReceipt, hasEnded } = missed
    if (staffReceipt.delivered > 0) socket.send({ type: 'receipt', sessionId, party: 'admin', ...staffReceipt })
    if (hasEnded) {
      const erased = (await isErased(node.sql, sessionId)) ? { isErased: true as const } : {}
      socket.send({ type: 'chat_ended', sessionId, ...erased })
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

  /** Brings a visitor into a session's room. */
  const bringIn = async (
    socket: ChatSocket,
    { sessionId, visitorName }: Pick<ChatSession, 'sessionId' | 'visitorName'>,
    { afterSequence, pass }: { afterSequence: number; pass: Pass },
  ): Promise<Missed> => {
    leave(socket)
    socket.role = undefined
    places.set(socket, admission.hold(pass.isOwn ? 'own_sockets_of_chat' : 'sockets_of_chat', sessionId))
    socket.onLinksRevoked = async () => {
      if (await renew(sessionId, pass)) {
        const { generation } = pass
        return socket.send({ type: 'resume_token', sessionId, resumeToken: tokenOf(sessionId, generation) })
      }
      pass.isRevoked = true
      if (socket.role?.type !== 'visitor' || socket.role.sessionId !== sessionId) return // it has gone meanwhile
      putOut(socket)
      // the client comes back with the token of before, and is told that this one leads nowhere
      socket.close(POLICY_VIOLATION, 'The links to this chat were revoked')
    }
    try {
      const entered = await rooms.enter(socket, sessionId, { afterSequence, generation: pass.generation })
      socket.role = { type: 'visitor', sessionId, name: visitorName, isOwn: pass.isOwn }
      return entered
    } catch (error) {
      leave(socket)
      throw error
    }
  }

  const notePageOf = async (socket: ChatSocket, session: ChatSession, pageUrl: string | null) => {
    const { sessionId } = session
    if (!socket.isOpen || !(await admission.hasRoom('page_views', { session: sessionId }))) return
    const page = await pages.use(() => notePage(node.sql, session, pageUrl))
    if (page) await publish({ kind: 'page', sessionId, ...page })
  }

  /**
   * The visitor has joined already, and what they send does not wait for this: a page that cannot be stored now is stored
   * when they come to the next.
   */
  const followPage = (socket: ChatSocket, session: ChatSession, pageUrl: string | null): void => {
    const { sessionId } = session
    const stored = (storing.get(sessionId) ?? Promise.resolve())
      .then(() => notePageOf(socket, session, pageUrl))
      .catch((error) => {
        if (!(error instanceof BusyError)) logger.error({ err: error }, 'a visited page could not be stored')
      })
      .finally(() => {
        if (storing.get(sessionId) === stored) storing.delete(sessionId)
      })
    storing.set(sessionId, stored)
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
    const { session, ...entering } = await inTurn(socket, async () => {
      const { session, generation, isOver } = await readStanding(node, sessionId)
      const mayComeBack = (given === generation || isOwn) && !isOver
      if (!session || !mayComeBack) throw cannotResume()
      const pass = { generation, isOwn, isRevoked: false }
      return { session, pass, entered: await bringIn(socket, session, { afterSequence: afterSequence ?? 0, pass }) }
    })
    await welcome(socket, sessionId, { ...entering, resumed: true, asksForFiles, asksForEmail })
    if (session.isActive) followPage(socket, session, pageUrl)
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
    const visitor = { visitorName, visitorEmail, pageUrl, userAgent: socket.userAgent }
    const pass = { generation: 0, isOwn: true, isRevoked: false }
    const { session, isNew, entered } = await inTurn(socket, async () => {
      await admission.admit('new_chats', { address })
      const begun = await begin(visitor, joinKey, address)
      return { ...begun, entered: await bringIn(socket, begun.session, { afterSequence: 0, pass }) }
    })
    await welcome(socket, session.sessionId, { entered, pass, resumed: !isNew, asksForFiles, asksForEmail })
    if (!session.isActive) return
    await publish({ kind: 'started', session })
    if (!isNew) followPage(socket, session, pageUrl)
  }

  return {
    leave,
    join: async (socket, frame) => {
      if (!socket.isOpen) return
      await (frame.sessionId === undefined ? start(socket, frame) : resume(socket, frame.sessionId, frame))
    },
  }
}
