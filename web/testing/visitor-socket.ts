import { randomUUID } from 'node:crypto'
import { act } from '@testing-library/react'
import type { ReceivedFrame } from '../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../events/chat/server-frames.ts'
import type { ChatMessage } from '../../events/chat/wire.ts'

export const WELCOME = 'Thanks for reaching out! Someone from our team will be with you shortly.'

type FrameOf<Type extends ReceivedFrame['type']> = Extract<ReceivedFrame, { type: Type }>

/** A chat on the server. */
type Chat = {
  sessionId: string
  resumeToken: string
  joinKey: string | undefined
  visitorName: string
  messages: ChatMessage[]
  hasEnded: boolean
  hasRated: boolean
}

/** The page's end of a connection, in place of the browser's own. */
class PageSocket {
  static readonly OPEN = 1
  readyState = 0
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = (_: { code: number }) => {}
  #server: VisitorServer

  constructor(server: VisitorServer) {
    this.#server = server
    queueMicrotask(() => server.takeIn(this))
  }

  send(text: string) {
    this.#server.hear(this, JSON.parse(text))
  }

  close() {
    this.readyState = 3
  }
}

/** A chat server of one test: it responds to a visitor's page as a node does, unless the test overrides it. */
export class VisitorServer {
  /** The frames that pages have sent, in order, and how often they tried to connect. */
  readonly sent: ReceivedFrame[] = []
  tries = 0
  /** `silent` takes connections and sends nothing, `away` takes none. */
  state: 'here' | 'silent' | 'away' = 'here'
  /** Its response to a frame in place of the default. */
  judge: (frame: ReceivedFrame) => readonly ServerFrame[] | undefined = () => undefined
  readonly chats: Chat[] = []
  #socket: PageSocket | undefined
  #chat: Chat | undefined

  /** Replaces the browser's sockets. */
  constructor() {
    const server = this
    const OfServer = class extends PageSocket {
      constructor() {
        super(server)
      }
    }
    Object.assign(globalThis, { WebSocket: OfServer })
  }

  /** The frames of one type that pages have sent. */
  sentOf<Type extends ReceivedFrame['type']>(type: Type): FrameOf<Type>[] {
    return this.sent.filter((frame): frame is FrameOf<Type> => frame.type === type)
  }

  /** The chat that began last. */
  get chat(): Chat {
    const chat = this.chats.at(-1)
    if (!chat) throw new Error('No chat has begun')
    return chat
  }

  /** The visitor's messages in a chat, in order of arrival. */
  textsOf(chat = this.chat) {
    return chat.messages.filter(({ senderType }) => senderType === 'visitor').map(({ message }) => message)
  }

  /** Begins a chat that the page does not know. */
  begin(visitorName: string, joinKey?: string): Chat {
    const made = { sessionId: randomUUID(), resumeToken: `token-of-${visitorName.replaceAll(' ', '-')}` }
    const chat = { ...made, joinKey, visitorName, messages: [], hasEnded: false, hasRated: false }
    this.chats.push(chat)
    return chat
  }

  /** A message is sent in a chat; the page gets it if it is in that chat. */
  say(message: string, chat = this.chat, more: Partial<ChatMessage> = {}) {
    const { sessionId, messages } = chat
    const said: ChatMessage = {
      id: randomUUID(),
      sequence: messages.length + 1,
      sessionId,
      senderType: 'admin',
      senderName: 'Support Team',
      message,
      timestamp: new Date().toISOString(),
      ...more,
    }
    messages.push(said)
    if (chat === this.#chat && said.senderType === 'admin') this.tell({ type: 'new_message', ...said })
    return said
  }

  end(chat = this.chat) {
    chat.hasEnded = true
    this.tell({ type: 'chat_ended', sessionId: chat.sessionId })
  }

  /** Sends a frame to the page, if it is connected. */
  tell(frame: ServerFrame) {
    const socket = this.#socket
    if (socket?.readyState === PageSocket.OPEN) act(() => socket.onmessage({ data: JSON.stringify(frame) }))
  }

  /** The connection breaks off. */
  cut() {
    const socket = this.#socket
    if (!socket || socket.readyState === 3) return
    socket.readyState = 3
    act(() => socket.onclose({ code: 1006 }))
  }

  takeIn(socket: PageSocket) {
    this.tries += 1
    if (socket.readyState === 3) return
    if (this.state === 'away') {
      socket.readyState = 3
      act(() => socket.onclose({ code: 1006 }))
      return
    }
    this.#socket = socket
    this.#chat = undefined
    socket.readyState = PageSocket.OPEN
    act(() => socket.onopen())
  }

  hear(socket: PageSocket, frame: ReceivedFrame) {
    this.sent.push(frame)
    if (this.state === 'silent' || socket !== this.#socket) return
    const answers = this.judge(frame) ?? this.#answer(frame)
    queueMicrotask(() => {
      for (const answer of answers) if (socket === this.#socket) this.tell(answer)
    })
  }

  #answer(frame: ReceivedFrame): readonly ServerFrame[] {
    switch (frame.type) {
      case 'join_chat':
        return this.#join(frame)
      case 'send_message':
        return [this.#store(frame)]
      case 'give_email': {
        const { sessionId, clientMessageId } = frame
        return [{ type: 'email_accepted', sessionId, clientMessageId }]
      }
      case 'rate_chat':
        if (this.#chat) this.#chat.hasRated = true
        return [{ type: 'rating_accepted', sessionId: frame.sessionId }]
      case 'end_chat':
        if (this.#chat) this.#chat.hasEnded = true
        return [{ type: 'chat_ended', sessionId: frame.sessionId }]
      case 'ping':
        return [{ type: 'pong' }]
      default:
        return []
    }
  }

  #join(frame: FrameOf<'join_chat'>): readonly ServerFrame[] {
    const { joinKey, afterSequence = 0, greeting, visitorName } = frame
    const known = this.chats.find(({ sessionId, ...chat }) =>
      frame.sessionId
        ? sessionId === frame.sessionId && chat.resumeToken === frame.resumeToken
        : chat.joinKey === joinKey,
    )
    if (frame.sessionId && !known) {
      return [{ type: 'error', code: 'unknown_session', message: 'There is no such chat', refused: 'join_chat' }]
    }
    const chat = known ?? this.begin(visitorName, joinKey)
    this.#chat = chat
    const { sessionId, resumeToken, messages, hasEnded, hasRated } = chat
    const isOwn = chat.joinKey === joinKey
    const missed = messages.filter(({ sequence }) => sequence > afterSequence)
    return [
      {
        type: 'chat_joined',
        sessionId,
        resumeToken,
        message: WELCOME,
        resumed: known !== undefined,
        isOwn,
        hasRated: isOwn && hasRated,
        ...(greeting !== undefined && { greeting }),
      },
      ...(missed.length > 0 ? [{ type: 'chat_history', sessionId, messages: missed } as const] : []),
      ...(hasEnded ? [{ type: 'chat_ended', sessionId } as const] : []),
    ]
  }

  #store(frame: FrameOf<'send_message'>): ServerFrame {
    const { sessionId, message, clientMessageId = '', fileId } = frame
    const chat = this.chats.find((each) => each.sessionId === sessionId)
    const refusal = { type: 'error', clientMessageId, refused: 'send_message' } as const
    if (!chat || chat !== this.#chat) return { ...refusal, code: 'not_joined', message: 'Join first' }
    if (chat.hasEnded) return { ...refusal, code: 'chat_ended', message: 'This chat has ended' }
    const file = fileId === undefined ? undefined : this.files.get(fileId)
    const own = { senderType: 'visitor', senderName: chat.visitorName, clientMessageId, ...(file && { file }) } as const
    const { id, sequence, timestamp } =
      chat.messages.find((each) => each.clientMessageId === clientMessageId) ?? this.say(message, chat, own)
    return { type: 'message_accepted', id, sequence, timestamp, clientMessageId }
  }

  /** The files that the chats have, by id. */
  readonly files = new Map<string, NonNullable<ChatMessage['file']>>()
}
