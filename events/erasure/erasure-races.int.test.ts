import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatMessagePosted, messageStreams } from '../chat/chat.ts'
import { LogError } from '../keys/errors.ts'
import { destroyKeys, type SubjectKeys } from '../keys/subject-keys.ts'
import { leadNoteAdded } from '../lead/follow-up/follow-up.ts'
import { leadStreams } from '../lead/lead.ts'
import { type Appender, type AppendRequest, openAppender } from '../log/append.ts'
import { readStreams } from '../log/read.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { newLead, startChat } from '../testing/fixtures/samples.ts'
import { countWaitingAppends } from '../testing/head-lock.ts'
import { openTestKeys, TEST_DATA_KEY } from '../testing/keys.ts'
import { createKeysDatabase, type TestKeysDatabase } from '../testing/keys-database.ts'
import { eventually } from '../testing/node.ts'

const ROUNDS = 1_000
const AT_ONCE = 20
const MARK = 'for nobody but us'

const note = (leadId: string): AppendRequest => ({
  stream: leadStreams.of(leadId),
  expectedVersion: 'any',
  events: [{ id: randomUUID(), ...leadNoteAdded({ by: leadId }, { subjectId: leadId, personal: { note: MARK } }) }],
})
const message = (sessionId: string): AppendRequest => ({
  stream: messageStreams.of(sessionId),
  expectedVersion: 'any',
  events: [
    {
      id: randomUUID(),
      ...chatMessagePosted(
        { senderType: 'visitor' },
        { subjectId: sessionId, personal: { senderName: 'Thandi', message: MARK, clientMessageId: null } },
      ),
    },
  ],
})
const outcomeOf = (appending: Promise<unknown>) =>
  appending.then(
    () => 'appended',
    (error) => (error instanceof LogError ? error.code : error),
  )

describe.each(['beside the log', 'in a database of their own'])('keys %s', (place) => {
  let database: TestDatabase
  let keysDatabase: TestKeysDatabase | undefined
  /** Two nodes and a worker, each with its own cache of keys. */
  let nodes: [Appender, Appender]
  let worker: Sql
  let keys: SubjectKeys
  const pools: Sql[] = []

  const openKeys = () => {
    const apart = keysDatabase && connect(keysDatabase.url, { max: 4, name: 'keys' })
    if (apart) pools.push(apart)
    return openTestKeys(TEST_DATA_KEY, apart)
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    if (place !== 'beside the log') keysDatabase = await createKeysDatabase()
    const openNode = () => openAppender(database.runtimeUrl, { keys: openKeys() })
    nodes = [openNode(), openNode()]
    keys = openKeys()
    worker = connect(database.runtimeUrl, { max: 8, name: 'test', keys })
    pools.push(worker)
  })

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await Promise.all(pools.map((pool) => pool.end()))
    await database.drop()
    await keysDatabase?.drop()
  })

  const rounds = async (work: (round: number) => Promise<void>) => {
    for (let from = 0; from < ROUNDS; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(from + index)))
    }
  }
  const destroy = (id: string) => destroyKeys(worker, keys, [id])
  const readable = async (streams: string[]) =>
    (await readStreams(worker, streams)).filter(({ personal }) => personal !== null)

  test(`data written while its person is erased cannot be read, in ${ROUNDS} rounds`, async () => {
    const outcomes = new Map<unknown, number>()
    const streams: string[] = []
    await rounds(async (round) => {
      const id = randomUUID()
      const [node, other] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]]
      const isKnown = round % 4 < 2
      if (isKnown) await node.append(newLead(id))
      const writing = isKnown ? [node.append(note(id)), other.append(note(id))] : [node.append(newLead(id))]
      const all = await Promise.all([...writing.map(outcomeOf), destroy(id).then(() => 'destroyed')])
      for (const outcome of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      expect(await outcomeOf(node.append(note(id)))).toBe('erased')
      expect(await outcomeOf(other.append(note(id)))).toBe('erased')
      streams.push(leadStreams.of(id))
    })
    expect([...outcomes.keys()].sort()).toEqual(['appended', 'destroyed', 'erased'])
    expect(await readable(streams)).toEqual([])
  })

  test('a submission that is repeated after the erasure is refused, and stores nothing', async () => {
    const id = randomUUID()
    const request = newLead(id)
    await nodes[0].append(request)
    expect(await nodes[0].append(request)).toMatchObject({ isDuplicate: true })
    await destroy(id)
    for (const node of nodes) expect(await outcomeOf(node.append(request))).toBe('erased')
    expect(await readStreams(worker, [leadStreams.of(id)])).toMatchObject([{ personal: null }])
  })

  test('two nodes that make a key for the same person at once agree on one', async () => {
    const streams: string[] = []
    await rounds(async () => {
      const id = randomUUID()
      const requests = [startChat(id, 'Thandi'), message(id), message(id)]
      await Promise.all(requests.map((request, index) => nodes[index % 2 === 0 ? 0 : 1].append(request)))
      streams.push(messageStreams.of(id))
    })
    expect(await readable(streams)).toHaveLength(2 * ROUNDS)
  })

  test('none of this is in the log in plain text', async () => {
    const [row] = await worker<{ plain: number; sealed: number }[]>`
      select count(*) filter (where position(${Buffer.from(MARK)}::bytea in personal) > 0 or data::text ~ ${MARK}) as plain,
        count(personal) as sealed
      from events`
    expect(row?.plain).toBe(0)
    expect(row?.sealed).toBeGreaterThan(2 * ROUNDS)
  })
})

test('a first event that waits for its person’s tombstone is refused as about an erased person', async () => {
  const database = await createTestDatabase()
  const owner = connect(database.url, { max: 2, name: 'test' })
  const node = openAppender(database.runtimeUrl, { keys: openTestKeys() })
  try {
    const id = randomUUID()
    const tx = await owner.reserve()
    await tx`begin`
    await tx`insert into subject_keys (subject_id, destroyed_at) values (${id}, now())`
    const writing = outcomeOf(node.append(newLead(id)))
    await eventually(async () => expect(await countWaitingAppends(owner)).toBe(1))
    await tx`commit`
    tx.release()
    expect(await writing).toBe('erased')
  } finally {
    await node.close()
    await owner.end()
    await database.drop()
  }
})
