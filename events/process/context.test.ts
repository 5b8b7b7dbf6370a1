import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  actAs,
  contextCausedBy,
  currentContext,
  followFrom,
  logFields,
  requestContext,
  runWith,
  systemContext,
} from './context.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('a request begins as a visitor’s, without a cause', () => {
  const context = requestContext()
  expect(context).toEqual({
    actor: { type: 'visitor' },
    correlationId: expect.stringMatching(UUID),
    causationId: null,
  })
  expect(requestContext().correlationId).not.toBe(context.correlationId)
})

test('all that a piece of work starts has its context, also after a wait', async () => {
  const context = systemContext('dispatch')
  const seen = await runWith(context, async () => {
    const before = currentContext()
    await turn()
    return [before, await Promise.resolve().then(currentContext)]
  })
  expect(seen).toEqual([context, context])
})

test('the actor is set once it is known, for later work', async () => {
  const context = requestContext()
  const seen = await runWith(context, async () => {
    const before = currentContext()
    await turn().then(() => actAs({ type: 'staff', id: 'a' }))
    return [before, currentContext()]
  })
  expect(seen).toEqual([context, { ...context, actor: { type: 'staff', id: 'a' } }])
  expect(context.actor).toEqual({ type: 'visitor' })
})

test('work that an event caused belongs to the request of that event', () => {
  const event = { id: randomUUID(), metadata: { correlationId: randomUUID() } }
  const expected = {
    actor: { type: 'system', name: 'email' },
    correlationId: event.metadata.correlationId,
    causationId: event.id,
  }
  expect(contextCausedBy(event, 'email')).toEqual(expected)
  const seen = runWith(systemContext('email'), () => {
    followFrom(event)
    return [currentContext(), logFields()]
  })
  expect(seen).toEqual([expected, { requestId: event.metadata.correlationId }])
})

test('work outside of any context is attributed to the system', () => {
  actAs({ type: 'staff', id: 'a' })
  followFrom({ id: randomUUID(), metadata: { correlationId: randomUUID() } })
  expect(currentContext()).toEqual({
    actor: { type: 'system', name: 'unattributed' },
    correlationId: expect.stringMatching(UUID),
    causationId: null,
  })
  expect(logFields()).toEqual({})
})

test('changing a context that was read has no effect', () => {
  const context = requestContext()
  runWith(context, () => {
    currentContext().actor = { type: 'system', name: 'somebody else' }
    expect(currentContext()).toEqual(context)
  })
})

test('a hundred concurrent pieces of work keep their contexts apart', async () => {
  const work = async (id: string) => {
    for (let step = 0; step < 20; step += 1) {
      await turn()
      if (step === 5) actAs({ type: 'staff', id })
      if (step === 10) followFrom({ id, metadata: currentContext() })
    }
    return { ...currentContext(), ...logFields() }
  }
  const contexts = Array.from({ length: 100 }, () => requestContext())
  const seen = await Promise.all(
    contexts.map((context, index) => runWith(context, () => work(String(index)), { socketId: `s${index}` })),
  )
  expect(seen).toEqual(
    contexts.map(({ correlationId }, index) => ({
      actor: { type: 'staff', id: String(index) },
      correlationId,
      causationId: String(index),
      requestId: correlationId,
      socketId: `s${index}`,
    })),
  )
})
