import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, startTestNode, type TestNode } from '../../events/testing/node.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let redis: FaultProxy
let node: TestNode

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await openFaultProxy(database.url)
  redis = await openFaultProxy(await testRedisUrl())
  node = await startTestNode({ databaseUrl: postgres.url, redisUrl: redis.url }, { TRUST_PROXY: '1' })
})

afterAll(async () => {
  await node.stop()
  await Promise.all([postgres.close(), redis.close()])
  await database.drop()
})

const ready = async () => {
  const response = await node.call('/readyz')
  return { status: response.status, ...(await response.json()) }
}

describe('a node that Postgres does not answer', () => {
  const startImpatient = (databaseUrl: string) =>
    startTestNode({ databaseUrl, redisUrl: redis.url }, {}, 'api/testing/impatient-node.cli.ts')

  test('ends with status 1 if it answers another node, and stays if it answers none', async () => {
    const own = await openFaultProxy(database.url)
    onTestFinished(() => own.close())
    const alone = await startImpatient(own.url)
    onTestFinished(() => void alone.kill('SIGKILL'))
    let hasEnded = false
    alone.ended.then(() => {
      hasEnded = true
    })
    await postgres.refuse()
    own.stall()
    const since = performance.now()
    await eventually(async () => {
      expect((await alone.call('/readyz')).status).toBe(503)
      expect(performance.now() - since).toBeGreaterThan(13_000)
    }, 60_000)
    expect(hasEnded).toBe(false)
    await postgres.resume()
    const resumed = performance.now()
    await eventually(async () => {
      expect(await ready()).toMatchObject({ status: 200 })
      expect(performance.now() - resumed).toBeGreaterThan(4_000)
    })
    expect(hasEnded).toBe(false) // the first node that is well again gives it time
    const { status } = await alone.ended
    expect(status, alone.printed()).toBe(1)
    expect(alone.printed()).toContain('Postgres answers other nodes and not this one')
    await eventually(async () => expect(await ready()).toMatchObject({ status: 200 }))
  })
})
