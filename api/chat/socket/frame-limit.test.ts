import { expect, test } from 'vitest'
import type { ChatSocket } from './chat-socket.ts'
import { openFrameLimit } from './frame-limit.ts'

/** A socket that records the calls made on it. */
const openSocket = ({ address = 'a', staff }: { address?: string; staff?: object } = {}) => {
  const done: (string | number)[] = []
  const socket = {
    address,
    staff,
    send: ({ type }: { type: string }) => done.push(type),
    close: (code: number) => done.push(code),
  }
  return { done, socket: socket as unknown as ChatSocket }
}

test('a socket over its limit is notified once a second, and closed if it continues', () => {
  const { admits } = openFrameLimit()
  const { socket, done } = openSocket()
  const send = (count: number, now: number) =>
    Array.from({ length: count }, () => admits(socket, 20, now)).filter(Boolean).length
  expect(send(450, 1_000)).toBe(400)
  expect(done).toEqual(['error'])
  expect(send(40, 1_900)).toBe(18)
  expect(done).toEqual(['error'])
  expect(send(21, 2_500)).toBe(12)
  expect(done).toEqual(['error', 'error'])
  expect(send(200, 2_500)).toBe(0)
  expect(done).toContain(1008)
  expect(done.filter((each) => each === 'error')).toHaveLength(2)
})

test('bytes are limited too, for staff less so', () => {
  const { admits } = openFrameLimit()
  const count = (socket: ChatSocket) =>
    Array.from({ length: 400 }, () => admits(socket, 64 * 1024, 1_000)).filter(Boolean).length
  expect(count(openSocket().socket)).toBe(64)
  expect(count(openSocket({ staff: {} }).socket)).toBe(256)
})

test('the sockets of an address have a common limit, which staff there do not share', () => {
  const { admits } = openFrameLimit()
  const send = (socket: ChatSocket) =>
    Array.from({ length: 350 }, () => admits(socket, 20, 1_000)).filter(Boolean).length
  const sent = Array.from({ length: 10 }, () => send(openSocket().socket))
  expect(sent.reduce((sum, each) => sum + each)).toBe(3_000)
  expect(send(openSocket({ staff: {} }).socket)).toBe(350)
  expect(send(openSocket({ address: 'b' }).socket)).toBe(350)
})

test('the addresses of an IPv6 /48 have a common limit', () => {
  const { admits } = openFrameLimit()
  const send = (address: string) =>
    Array.from({ length: 400 }, () => admits(openSocket({ address }).socket, 20, 1_000)).filter(Boolean).length
  const sent = Array.from({ length: 61 }, (_, network) => send(`2001:db8:1:${network}::/64`))
  expect(sent.reduce((sum, each) => sum + each)).toBe(24_000)
  expect(send('2001:db8:2:1::/64')).toBe(400)
})
