import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { ChatMessage } from '../../events/chat/chat.ts'
import type { ServerFrame } from '../../events/chat/sent-frames.ts'
import { type ChatNotification, publishNotification } from '../../events/chat/store/chat-notifications.ts'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { openAppender } from '../../events/log/append.ts'
import { prepareProjection } from '../../events/projections/projection.ts'
import { connect } from '../../events/stores/connection.ts'
import { openBus } from '../../events/stores/redis/bus.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { type PostedMessage, postMessage } from '../chat/log/messages.ts'
import { startSession } from '../chat/log/sessions.ts'
import { ChatHub } from '../chat/room/hub.ts'
import type { ChatSocket } from '../chat/socket/chat-socket.ts'
import type { ApiNode } from '../node/node.ts'

/** The rooms of one node within the test's own process, so that tests can act between its steps. */
export type TestRooms = { hub: ChatHub; node: Pick<ApiNode, 'sql' | 'bus' | 'logger'>; closeRooms: () => Promise<void> }

/** A socket that records the frames it is sent. */
export type TestSocket = ChatSocket & { frames: ServerFrame[] }

/** Opens a socket without a client. */
export const openTestSocket = (): TestSocket => {
  const frames: ServerFrame[] = []
  let held: ServerFrame[] | undefined
  const send = (frame: ServerFrame) => {
    frames.push(frame)
  }
  return {
    id: randomUUID(),
    staff: undefined,
    address: '127.0.0.1',
    userAgent: null,
    mayType: () => true,
    isOpen: true,
    role: undefined,
    onLinksRevoked: undefined,
    frames,
    send,
    sendWhole: async (frame) => {
      send(frame)
      return true
    },
    push: (frame) => (held ? held.push(frame) : send(frame)),
    pause: () => {
      held = []
    },
    flush: (isNews) => {
      const kept = held ?? []
      held = undefined
      for (const frame of kept) if (isNews(frame)) send(frame)
    },
    close: () => {},
  }
}

/** Stores a message and resolves to it. */
export const posted = (
  writer: Parameters<typeof postMessage>[0],
  sessionId: string,
  { message, senderType }: Pick<ChatMessage, 'message' | 'senderType'>,
) =>
  new Promise<PostedMessage>((resolve, reject) => {
    const post = { senderType, senderName: 'Ana', by: undefined, message, clientMessageId: undefined, file: undefined }
    postMessage(writer, sessionId, post, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
  })

/**
 * Opens the rooms of two nodes that share a database and Redis, once both receive notifications. Their reads of
 * Postgres can be made slow; `writer` is never slow. `tell` and `startChat` do what a node does for its visitors.
 */
export const openTestRooms = async () => {
  const database = await createTestDatabase()
  const redisUrl = await testRedisUrl()
  const prefix = `test-${randomUUID()}:`
  const reading = await openFaultProxy(database.url)
  const open = (): TestRooms => {
    const sql = connect(reading.url, { max: 4, name: 'test', keys: TEST_KEYS })
    const bus = openBus(redisUrl, { prefix, onError: () => {} })
    const node = { sql, bus, logger: pino({ level: 'silent' }) }
    const hub = new ChatHub(node)
    return {
      hub,
      node,
      closeRooms: async () => {
        await hub.close()
        bus.close()
        await sql.end()
      },
    }
  }
  const writer = {
    sql: connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS }),
    log: openAppender(database.url, { keys: TEST_KEYS }),
  }
  await prepareProjection(writer.sql, chatsProjection)
  const first = open()
  const second = open()
  await eventually(() => expect([first.node.bus.isUp, second.node.bus.isUp]).toEqual([true, true]))
  const tell = (news: ChatNotification) => publishNotification(first.node.bus, news)
  return {
    first,
    second,
    reading,
    writer,
    tell,
    startChat: async () => {
      const visitor = { visitorName: 'Ana', visitorEmail: null, pageUrl: null, userAgent: null }
      const { session, event } = await startSession(writer, visitor)
      if (event) await tell(event)
      return session.sessionId
    },
    close: async () => {
      await Promise.all([first, second].map(({ closeRooms }) => closeRooms()))
      await writer.log.close()
      await writer.sql.end()
      await reading.close()
      await database.drop()
    },
  }
}
