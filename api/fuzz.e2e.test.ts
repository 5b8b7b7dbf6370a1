import { readdir } from 'node:fs/promises'
import process from 'node:process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signIn } from '../events/testing/node.ts'
import { memoryOf } from '../events/testing/process.ts'
import { startProduct } from '../events/testing/product.ts'
import { FUZZED_ID, FUZZED_TOKEN, type RawRequest, rawFrame, rawRequest, sendRaw } from './testing/fuzz.ts'
import { joinChat, openTestClient } from './testing/socket-client.ts'

/** The number of generated inputs; FUZZ_INPUTS=20000 takes several minutes. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 2_000)
const MS_PER_INPUT = 60
const FRAMES_PER_SOCKET = 20
const REQUESTS = Math.ceil(INPUTS * 0.6)
const SOCKETS = Math.ceil((INPUTS - REQUESTS) / FRAMES_PER_SOCKET)
const WARM_UP = 0.2
const MAX_GROWTH_BYTES = 96 * 1024 * 1024
/** Connections to Postgres and Redis come and go. */
const MAX_MORE_HANDLES = 12
/** The status if a node rejects the request as invalid HTTP, or is asked to keep the connection open. */
const NO_ANSWER = 0

const { node } = await startProduct({ worker: 'has run', nodeEnv: { LOG_LEVEL: 'error' } })
const staff = await signIn(node)
// existing records, so that some of the generated requests refer to them
const person = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
const { id: leadId }: { id: string } = await (await node.post('/api/leads', person)).json()
const { client, ...chat } = await joinChat(node)
await client.close()

let callers = 0
/** Each request comes from another address: limits are not tested here. */
const elsewhere = () => {
  callers += 1
  return `172.20.${(callers >> 8) & 255}.${callers & 255}`
}

const handlesOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`).catch(() => [])).length
const measure = async () => ({ memory: await memoryOf(node.pid), handles: await handlesOf(node.pid) })

/** Runs a property in two parts. Returns the node's growth in the second. */
const growthOver = async (runs: number, check: (runs: number) => Promise<void>) => {
  await check(Math.ceil(runs * WARM_UP))
  const before = await measure()
  await check(Math.floor(runs * (1 - WARM_UP)))
  const after = await measure()
  return { memory: after.memory - before.memory, handles: after.handles - before.handles }
}

const options = (numRuns: number) => ({ numRuns, ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }) })

const expectUnharmed = async ({ memory, handles }: { memory: number; handles: number }) => {
  expect(memory).toBeLessThan(MAX_GROWTH_BYTES)
  expect(handles).toBeLessThanOrEqual(MAX_MORE_HANDLES)
  expect(node.printed()).toBe('')
  expect((await node.call('/readyz')).status).toBe(200)
}

const asSomebody = (request: RawRequest, isStaff: boolean): RawRequest => ({
  ...request,
  target: request.target.replaceAll(FUZZED_ID, /\/chat(s|-files)\//.test(request.target) ? chat.sessionId : leadId),
  headers: [
    ['x-forwarded-for', elsewhere()],
    ['origin', node.url],
    ...(isStaff ? [['cookie', staff.cookie] as [string, string]] : []),
    ...request.headers,
  ],
})

test('no HTTP request gets a 5xx response, and the node neither ends nor grows', {
  timeout: 120_000 + REQUESTS * MS_PER_INPUT,
}, async () => {
  const statuses = new Map<number, number>()
  const answers = fc.asyncProperty(rawRequest, fc.boolean(), async (request, isStaff) => {
    const status = await sendRaw(node.url, asSomebody(request, isStaff))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect(status).toBeLessThan(500)
  })
  const growth = await growthOver(REQUESTS, (runs) => fc.assert(answers, options(runs)))
  await expectUnharmed(growth)
  // The requests passed the first checks: some were served, some refused for their content (by chance a few of 1,200
  // are 201, and some 202)
  for (const either of [[200], [201, 202], [401], [404], [422]]) {
    const count = either.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0)
    expect(count, `status ${either.join(' or ')}`).toBeGreaterThan(0)
  }
  expect(statuses.get(NO_ANSWER) ?? 0).toBeLessThan(REQUESTS / 10)
})

test('every frame sent over a socket gets a reply or is ignored, and the node neither ends nor grows', {
  timeout: 120_000 + SOCKETS * FRAMES_PER_SOCKET * MS_PER_INPUT,
}, async () => {
  const isTaken = fc.asyncProperty(
    fc.array(rawFrame, { minLength: FRAMES_PER_SOCKET, maxLength: FRAMES_PER_SOCKET }),
    fc.boolean(),
    async (frames, isStaff) => {
      const client = await openTestClient(node, { 'x-forwarded-for': elsewhere(), ...(isStaff ? staff : {}) })
      for (const frame of frames) {
        const isText = typeof frame === 'string'
        const known = (text: string) =>
          text.replaceAll(FUZZED_ID, chat.sessionId).replaceAll(FUZZED_TOKEN, chat.resumeToken)
        client.raw.send(isText ? known(frame) : frame)
      }
      client.send({ type: 'ping' })
      await client.take('pong')
      const codes = client.framesOf('error').map(({ code }) => code)
      expect(codes).not.toContain('unavailable')
      await client.close()
    },
  )
  await expectUnharmed(await growthOver(SOCKETS, (runs) => fc.assert(isTaken, options(runs))))
})
