import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatLinksRevoked, chatLinksStreams } from '../../../events/chat/links.ts'
import { resumeToken } from '../../../events/chat/store/resume-token.ts'
import { signingKeys } from '../../../events/keys/signing-keys.ts'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { connectRedis, type RedisClient } from '../../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../../events/testing/database.ts'
import { openAdmission } from '../../admission/admission.ts'
import { createMetrics } from '../../node/metrics.ts'
import type { ApiNode } from '../../node/node.ts'
import { openTestRooms, openTestSocket } from '../../testing/rooms.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { openJoinHandler } from './join-handler.ts'

let opened: Awaited<ReturnType<typeof openTestRooms>>
let redis: RedisClient
let node: ApiNode
const keys = signingKeys(['a secret of these tests'])

beforeAll(async () => {
  opened = await openTestRooms()
  redis = connectRedis(await testRedisUrl())
  node = {
    ...opened.first.node,
    log: opened.writer.log,
    config: { signingKeys: keys },
    admission: openAdmission(redis, { prefix: `${randomUUID()}:`, key: keys.limits[0] }),
    settings: { current: DEFAULT_SETTINGS },
    metrics: createMetrics('test'),
  } as unknown as ApiNode
})

afterAll(async () => {
  redis.disconnect()
  await opened.close()
})

const revoke = async (sessionId: string) => {
  const events = [{ id: randomUUID(), ...chatLinksRevoked({ by: randomUUID() }) }]
  await opened.writer.log.append({ stream: chatLinksStreams.of(sessionId), expectedVersion: 'any', events })
}

/**
 * A join handler during which the links to a chat are revoked, and the room is notified, while a visitor's missed
 * messages are read.
 */
const openLateJoinHandler = (socket: ReturnType<typeof openTestSocket>) => {
  const { hub } = opened.first
  const enter: ChatHub['enter'] = async (...given) => {
    const entered = await hub.enter(...given)
    await revoke(given[1])
    await socket.onLinksRevoked?.()
    return entered
  }
  const revoking = { enter, leave: (left: ChatSocket) => hub.leave(left) }
  return openJoinHandler(node, revoking as ChatHub)
}

test('a visitor by a link that is revoked as they enter sees nothing of the chat', async () => {
  const sessionId = await opened.startChat()
  const socket = openTestSocket()
  const frame = { type: 'join_chat', visitorName: 'Somebody', visitorEmail: '', pageUrl: null, sessionId } as const
  const join = openLateJoinHandler(socket).join(socket, {
    ...frame,
    resumeToken: resumeToken(keys, sessionId, 0),
  } as never)
  await expect(join).rejects.toMatchObject({ code: 'unknown_session' })
  expect(socket.frames).toEqual([])
  expect(socket.role).toBeUndefined()
  expect(opened.first.hub.visited()).toEqual([])
})
