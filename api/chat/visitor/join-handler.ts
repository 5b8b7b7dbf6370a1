import { tokenGeneration } from '../../../events/chat/store/resume-token.ts'
import type { ApiNode } from '../../node/node.ts'
import { readResumeState, readSession, sessionIdFor, startSession } from '../log/sessions.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { type Frame, FrameError } from '../socket/frame.ts'
import { openEntryTurns } from './entry-turns.ts'
import { knownGreeting } from './known-greeting.ts'
import { openPageFollower } from './page-follower.ts'
import { openVisitorEntry } from './visitor-entry.ts'
import { cannotResume } from './visitor-pass.ts'

/** Admits visitors to a new chat or back to theirs. */
export type JoinHandler = {
  join: (socket: ChatSocket, frame: Frame<'join_chat'>) => Promise<void>
  leave: (socket: ChatSocket) => void
}

/** Opens a node's join handler. */
export const openJoinHandler = (node: ApiNode, hub: ChatHub): JoinHandler => {
  const { config, admission } = node
  const inTurn = openEntryTurns(node)
  const { leave, bringIn, welcome } = openVisitorEntry(node, { hub, inTurn })
  const followPage = openPageFollower(node, hub)

  const resume = async (
    socket: ChatSocket,
    sessionId: string,
    { resumeToken: token, joinKey, afterSequence, pageUrl }: Frame<'join_chat'>,
  ) => {
    await admission.admit('joins', { address: socket.address })
    const given = tokenGeneration(config.signingKeys, sessionId, token ?? '')
    if (given === undefined) throw cannotResume()
    const isOwn = joinKey !== undefined && sessionIdFor(joinKey) === sessionId
    // strangers without its token cannot use up a chat's limit, nor visitors with a link that of its own device
    await admission.admit('joins', { session: isOwn ? `own ${sessionId}` : sessionId })
    const { session, ...entering } = await inTurn(socket, async () => {
      const { session, generation, isOver } = await readResumeState(node, sessionId)
      const mayComeBack = (given === generation || isOwn) && !isOver
      if (!session || !mayComeBack) throw cannotResume()
      const pass = { generation, isOwn, isRevoked: false }
      return { session, pass, entered: await bringIn(socket, session, { afterSequence: afterSequence ?? 0, pass }) }
    })
    await welcome(socket, sessionId, {
      ...entering,
      resumed: true,
      greeting: session.greeting,
      endTime: session.endTime,
    })
    if (session.isActive) followPage(socket, session, pageUrl)
  }

  /** A join whose chat has begun already, or cannot be begun, does not count as a new chat. */
  const begin = async (
    visitor: Parameters<typeof startSession>[1],
    { joinKey, greeting, address }: Pick<Frame<'join_chat'>, 'joinKey' | 'greeting'> & { address: string },
  ) => {
    let isNew = false
    try {
      const started = await startSession(node, { ...visitor, ...(await knownGreeting(node.sql, greeting)) }, joinKey)
      isNew = started.isNew
      return started
    } finally {
      if (!isNew) await admission.refund('new_chats', { address })
    }
  }

  const start = async (
    socket: ChatSocket,
    { visitorName, visitorEmail, visitorPhone, pageUrl, joinKey, greeting }: Frame<'join_chat'>,
  ) => {
    const { address } = socket
    await admission.admit('joins', { address })
    const isBusy = socket.role?.type === 'visitor' && (await readSession(node, socket.role.sessionId))?.isActive
    if (isBusy) {
      throw new FrameError('not_allowed', 'This socket is in a chat already: end it, or open another socket')
    }
    const phone = visitorPhone !== undefined && { visitorPhone }
    const visitor = { visitorName, visitorEmail, ...phone, pageUrl, userAgent: socket.userAgent }
    const pass = { generation: 0, isOwn: true, isRevoked: false }
    const { session, isNew, event, entered } = await inTurn(socket, async () => {
      await admission.admit('new_chats', { address })
      const begun = await begin(visitor, { joinKey, greeting, address })
      return { ...begun, entered: await bringIn(socket, begun.session, { afterSequence: 0, pass }) }
    })
    const entering = { entered, pass, resumed: !isNew, greeting: session.greeting, endTime: session.endTime }
    await welcome(socket, session.sessionId, entering)
    if (!session.isActive) return
    if (event) hub.publish(event)
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
