import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts'

let server: Server
let proxy: FaultProxy

beforeEach(async () => {
  server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  proxy = await openFaultProxy(`tcp://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`)
})

afterEach(async () => {
  await proxy.close()
  server.close()
})

async function connect(): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) })
  await once(socket, 'connect')
  return socket
}

async function echo(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data')
  socket.write(text)
  return String((await answer)[0])
}

test('passes bytes both ways', async () => {
  const socket = await connect()
  expect(await echo(socket, 'one')).toBe('one')
  socket.destroy()
})

test('delays by the requested time', async () => {
  const socket = await connect()
  proxy.delay(50)
  const start = performance.now()
  expect(await echo(socket, 'late')).toBe('late')
  expect(performance.now() - start).toBeGreaterThan(95)
  socket.destroy()
})

test('holds everything back while stalled and lets it pass, in order, on resume', async () => {
  const socket = await connect()
  await echo(socket, 'one')
  proxy.stall()
  socket.write('two ')
  const answer = once(socket, 'data').then(([data]) => String(data))
  expect(await Promise.race([answer, sleep(50, 'nothing')])).toBe('nothing')
  await proxy.resume()
  expect(await answer).toBe('two ')
  socket.destroy()
})

test('cuts connections and takes new ones', async () => {
  const socket = await connect()
  await echo(socket, 'one')
  const [error] = await Promise.all([once(socket, 'error'), proxy.cut()])
  expect(error[0]).toMatchObject({ code: 'ECONNRESET' })
  const next = await connect()
  expect(await echo(next, 'two')).toBe('two')
  next.destroy()
})

test('refuses connections until resumed, then has the same address', async () => {
  await proxy.refuse()
  await expect(connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.resume()
  const socket = await connect()
  expect(await echo(socket, 'back')).toBe('back')
  socket.destroy()
})

test('loses the next response of each open connection and ends it; the server has received the request', async () => {
  const got: string[] = []
  server.on('connection', (asked: Socket) => asked.on('data', (data) => got.push(String(data))))
  const socket = await connect()
  await echo(socket, 'one')
  const answers: string[] = []
  socket.on('data', (data) => answers.push(String(data)))
  socket.on('error', () => {})
  proxy.loseAnswers()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('two')
  await closed
  expect(got).toEqual(['one', 'two'])
  expect(answers).toEqual([])
  const other = await connect()
  expect(await echo(other, 'three')).toBe('three')
  other.destroy()
})
