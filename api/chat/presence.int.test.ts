import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFaultProxy } from '../../events/local/fault-proxy.ts'
import { testRedisUrl } from '../../events/local/test-database.ts'
import { openBus } from '../../events/log/bus.ts'
import { openPresence } from './presence.ts'
import { openTestSocket } from './test-rooms.ts'

const WAIT = { timeout: 30_000, interval: 5 }
const NODES = 30

test('when Redis returns, what nodes tell one another grows with the consoles, not with the nodes', async () => {
  const redisUrl = await testRedisUrl()
  const proxy = await openFaultProxy(redisUrl)
  const prefix = `{${randomUUID()}}:`
  const open = (url: string) => {
    const bus = openBus(url, { prefix, onError: () => {} })
    onTestFinished(() => bus.close())
    return bus
  }
  onTestFinished(() => proxy.close())
  const messages: string[] = []
  await open(redisUrl).subscribe('chat:presence', (message) => messages.push(message))

  const logger = pino({ enabled: false })
  const nodes = Array.from({ length: NODES }, (_, index) => {
    const bus = open(proxy.url)
    const presence = openPresence({ id: `node-${index}`, bus, logger }, () => false)
    onTestFinished(() => presence.close())
    return { bus, presence }
  })
  const areUp = () => vi.waitFor(() => expect(nodes.every(({ bus }) => bus.isUp)).toBe(true), WAIT)
  await areUp()
  const consoles = nodes.slice(0, 2).map(({ presence }, index) => {
    const staff = { id: randomUUID(), username: 'a', displayName: `Staff ${index}`, role: 'agent' as const }
    const socket = { ...openTestSocket(), staff: { ...staff, tokenHash: Buffer.alloc(32) } }
    presence.join(socket)
    return { socket, presence }
  })
  const sessionId = randomUUID()
  for (const { socket, presence } of consoles) presence.watch(socket, sessionId)
  const bothAreSeen = () => {
    for (const { socket } of consoles) {
      const shown = socket.frames.findLast(({ type }) => type === 'presence')
      expect(shown).toMatchObject({ sessionId, staff: [expect.anything(), expect.anything()] })
    }
  }
  await vi.waitFor(bothAreSeen, WAIT)

  messages.length = 0
  for (const { socket } of consoles) socket.frames.length = 0
  proxy.cut()
  await vi.waitFor(() => expect(nodes.some(({ bus }) => bus.isUp)).toBe(false), WAIT)
  await areUp()
  const late = randomUUID()
  consoles[0]?.presence.watch(consoles[0].socket, late)
  await vi.waitFor(() => {
    const last = consoles[1]?.socket.frames.findLast(({ type }) => type === 'presence')
    expect(last).toBeDefined()
  }, WAIT)
  // two asks, their answers, what is told of the change, and a heartbeat or two of each console on a slow machine; 30 nodes
  // that all ask and answer would be 900
  expect(messages.length).toBeLessThan(30)
})
