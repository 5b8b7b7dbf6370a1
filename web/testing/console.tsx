import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { mutate } from 'swr'
import { expect } from 'vitest'
import { NO_RECEIPTS } from '../../events/chat/activity.ts'
import { SUPPORT_TEAM_NAME } from '../../events/chat/chat.ts'
import type { ClientFrame } from '../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../events/chat/sent-frames.ts'
import type { ChatSession, VisitorPlace } from '../../events/chat/wire.ts'
import { THANDI } from './answers.ts'
import { openScreen } from './screen.tsx'
import type { Answer, Sent } from './server.ts'
import { openSocket, type TestSocket, useTestSocket } from './socket.ts'

type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>
type Listed = FrameOf<'active_sessions'>['sessions'][number]
type Message = FrameOf<'new_message'>
type Colleague = { id: string; displayName: string }

/** A chat of the test's node. `record` holds the other fields of `GET /api/chats/:id`. */
export type TestChat = {
  session: ChatSession
  messages: Omit<Message, 'type'>[]
  assigned: Listed['assigned']
  here: VisitorPlace | null | undefined
  record: Record<string, unknown>
}

/** The day of all test chats, in support hours. */
const DAY = '2026-11-18'

const minuteOf = (minute: number) => `${DAY}T08:${String(minute % 60).padStart(2, '0')}:00.000Z`

let begun = 0

/** Adds a message to a chat, a minute after the one before, without notifying any console. */
export const add = (chat: TestChat, text: string, from?: Colleague, clientMessageId?: string) => {
  const sequence = (chat.messages.at(-1)?.sequence ?? 0) + 1
  const message = {
    id: crypto.randomUUID(),
    sequence,
    sessionId: chat.session.sessionId,
    message: text,
    timestamp: minuteOf(30 + sequence),
    ...(clientMessageId !== undefined && { clientMessageId }),
    ...(from
      ? ({ senderType: 'admin', senderName: SUPPORT_TEAM_NAME, by: from.id, staffName: from.displayName } as const)
      : ({ senderType: 'visitor', senderName: chat.session.visitorName } as const)),
  }
  chat.messages.push(message)
  return message
}

type ChatOptions = Partial<ChatSession> & {
  /** The messages: of the visitor, or of the colleague in a pair. */
  said?: (string | [Colleague, string])[]
} & Partial<Pick<TestChat, 'assigned' | 'here' | 'record'>>

/** A chat that began a minute after the one before, with the given options. */
export const testChat = (visitorName: string, options: ChatOptions = {}): TestChat => {
  const { said = [], assigned = { version: 0, to: null }, here, record = {}, ...more } = options
  begun = (begun + 1) % 30
  const session: ChatSession = {
    sessionId: crypto.randomUUID(),
    visitorName,
    visitorEmail: null,
    pageUrl: 'http://localhost:3000/',
    userAgent: null,
    isActive: true,
    startTime: minuteOf(begun),
    endTime: null,
    ...more,
  }
  const chat: TestChat = { session, messages: [], assigned, here, record }
  for (const one of said) typeof one === 'string' ? add(chat, one) : add(chat, one[1], one[0])
  return chat
}

const answeredIn = ({ messages }: TestChat) =>
  messages.findLast(({ senderType }) => senderType === 'admin')?.sequence ?? 0

/** A chat without its text, as a node sends it to consoles. */
export const outlineOf = (chat: TestChat) => {
  const answered = answeredIn(chat)
  const last = chat.messages.at(-1)
  return {
    lastSequence: last?.sequence ?? 0,
    answered,
    waitingSince: chat.messages.find(({ sequence }) => sequence > answered)?.timestamp ?? null,
    last: last
      ? {
          senderType: last.senderType,
          senderName: last.senderName,
          message: last.message,
          timestamp: last.timestamp,
        }
      : null,
  }
}

const listed = (chat: TestChat): Listed => ({
  ...chat.session,
  lastSequence: chat.messages.length,
  receipts: NO_RECEIPTS,
  outline: outlineOf(chat),
  assigned: chat.assigned,
})

/** A chat as `GET /api/chats` lists it. */
export const fetchedChat = ({ session, messages, assigned, here }: TestChat) => ({
  ...session,
  lastSequence: messages.length,
  lastActivity: messages.at(-1)?.timestamp ?? session.startTime,
  receipts: NO_RECEIPTS,
  leadId: null,
  score: null,
  assigned,
  ...(here !== undefined && { here }),
})

/** The response of `GET /api/chats/:id`. */
export const recordOf = ({ session, messages, record }: TestChat) => ({
  session,
  endedBy: null,
  isErased: false,
  messages,
  hasEarlierMessages: false,
  pages: [{ pageUrl: session.pageUrl ?? '/', timestamp: session.startTime }],
  receipts: NO_RECEIPTS,
  leadId: null,
  transcripts: [],
  linkRevocations: [],
  assignments: [],
  rating: null,
  ...record,
})

/** The node's list when a console joins, without the chats that the console has listed; all chats if it is left out. */
type NodeList = { shown: TestChat[]; total: number; next: string }

/** A node with these chats: it joins consoles, sends the text of the chat that one opens, and accepts messages. */
const openTestNode = (chats: TestChat[], list: NodeList | undefined) => {
  const chatOf = (sessionId: string | null | undefined) => chats.find(({ session }) => session.sessionId === sessionId)
  let opened: string | null = null

  const takeMessage = (frame: Extract<ClientFrame, { type: 'send_message' }>): ServerFrame[] => {
    const chat = chatOf(frame.sessionId)
    if (!chat) return []
    const clientMessageId = frame.clientMessageId ?? ''
    const added = add(chat, frame.message ?? '', THANDI, clientMessageId)
    const { id, sequence, timestamp } = added
    return [
      { type: 'message_accepted', clientMessageId, id, sequence, timestamp },
      { type: 'new_message', ...added },
    ]
  }

  const answer = (frame: ClientFrame): ServerFrame[] => {
    switch (frame.type) {
      case 'join_admin': {
        const active = chats.filter(({ session }) => session.isActive)
        const asked = active.filter(({ session }) => frame.listed?.includes(session.sessionId))
        const { shown = active, ...more } = list ?? { total: active.length }
        const sessions = [...new Set([...shown, ...asked])].map(listed)
        return [{ type: 'active_sessions', sessions, ...more }]
      }
      case 'open_chat': {
        const { sessionId, afterSequence = 0 } = frame
        opened = sessionId
        const chat = chatOf(sessionId)
        if (!sessionId || !chat) return []
        const messages = chat.messages.filter(({ sequence }) => sequence > afterSequence)
        return [{ type: 'chat_history', sessionId, messages }]
      }
      case 'send_message':
        return takeMessage(frame)
      case 'follow_visitors': {
        const followed = frame.sessionIds.flatMap((sessionId) => {
          const here = chatOf(sessionId)?.here
          return here === undefined ? [] : [{ sessionId, here }]
        })
        return followed.length > 0 ? [{ type: 'visitors_here', chats: followed }] : []
      }
      case 'ping':
        return [{ type: 'pong' }]
      default:
        return []
    }
  }

  return {
    receive: (frame: ClientFrame, socket: TestSocket) => socket.tell(...answer(frame)),
    record: ({ path }: Sent) => {
      const chat = chatOf(path.split('/').at(-1))
      return chat ? recordOf(chat) : new Response('{"status":404}', { status: 404 })
    },
    /** The frames that consoles get for a new message in a chat. */
    said: (chat: TestChat, text: string, from?: Colleague): ServerFrame[] => {
      const message = add(chat, text, from)
      const { sessionId } = chat.session
      const outlines: ServerFrame = { type: 'chat_outlines', chats: [{ sessionId, ...outlineOf(chat) }] }
      return opened === sessionId ? [{ type: 'new_message', ...message }, outlines] : [outlines]
    },
  }
}

type ConsoleOptions = {
  chats?: TestChat[]
  address?: string
  answers?: Record<string, Answer>
  list?: NodeList
  /** Whether the address is the console's; otherwise the test goes there itself. */
  isConsole?: boolean
  /** Returns whether the test responds to a frame itself, in place of the node. */
  takes?: (frame: ClientFrame, socket: TestSocket) => boolean
}

/** Renders the console into the document, connected to a node of the test, with Thandi signed in. */
export const openTestConsole = async (options: ConsoleOptions = {}) => {
  const { chats = [], address = '/admin-chat', answers = {}, isConsole = true, takes = () => false } = options
  const node = openTestNode(chats, options.list)
  useTestSocket((frame, socket) => {
    if (!takes(frame, socket)) node.receive(frame, socket)
  })
  document.hasFocus = () => true
  Object.defineProperty(document, 'hidden', { value: false, configurable: true })
  const open = (at: string) => openScreen(at, { 'GET /api/chats/*': node.record, ...answers })
  const isConnected = async () => {
    await openSocket()
    await screen.findByText('Connected')
  }
  let opened = await open(address)
  if (isConsole) await isConnected()
  return {
    /** The staff member at the screen. */
    user: opened.user,
    address: () => opened.address(),
    go: (to: string, state?: unknown) => opened.go(to, state),
    /** The node sends the console frames, over the open connection. */
    tell: async (...frames: ServerFrame[]) => {
      const socket = await openSocket()
      socket.tell(...frames)
    },
    /** A message is sent in a chat: by its visitor, unless a colleague is named. */
    say: async (chat: TestChat, text: string, from?: Colleague) => {
      const socket = await openSocket()
      socket.tell(...node.said(chat, text, from))
    },
    socket: openSocket,
    /** Opens the same address again in the same tab: the app's memory is gone. */
    reload: async (at = opened.address()) => {
      cleanup()
      await mutate(() => true, undefined, { revalidate: false })
      opened = await open(at)
      await isConnected()
    },
  }
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-session]')]

/** The row of a visitor's chat in the list, if there is one. */
export const rowOf = (name: string) => rows().find(({ textContent }) => textContent?.startsWith(name))

/** The same, once it is there. */
export const entryOf = (name: string): Promise<HTMLElement> =>
  waitFor(() => rowOf(name) ?? expect.fail(`There is no row of ${name}`))

/** Waits until a visitor's row has these words. */
export const entrySays = (name: string, words: string | RegExp) =>
  waitFor(() => expect(rowOf(name)?.textContent).toMatch(words))

/** The conversation, and the details of the chat next to it. */
export const pane = () => within(screen.getByLabelText('Conversation'))
export const details = () => within(screen.getByLabelText('About this chat'))

export const box = () => screen.findByPlaceholderText<HTMLTextAreaElement>('Type your response...')

/** Waits until the chat with a visitor is shown. */
export const isShown = (name: string) =>
  waitFor(() => expect(document.querySelector('[aria-label=Conversation] h2')?.textContent).toBe(`Chat with ${name}`))

/** Waits until the head of the chat shows these words about its assignee. */
export const isHeld = (words: string) => waitFor(() => expect(pane().getByText(words)).toBeTruthy())

/** The messages of the chat that is shown. */
export const bubbles = () =>
  [...document.querySelectorAll('[role=log] li:not([data-day])')].map(({ textContent }) => textContent ?? '')

/** The days shown above messages. */
export const days = () => [...document.querySelectorAll('[role=log] [data-day]')].map(({ textContent }) => textContent)

/** The toast at the foot of the screen. */
export const notice = () => within(screen.getByLabelText(/^Notifications/))

/** A button of a dialog or of the screen, including those that style sheets hide in a document without a layout. */
export const button = (name: string, within: Pick<typeof screen, 'getByRole'> = screen) =>
  within.getByRole('button', { name, hidden: true })
