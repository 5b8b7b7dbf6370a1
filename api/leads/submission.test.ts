import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { leadForm } from '../../events/lead-form.ts'
import type { LimitName } from '../admission/limits.ts'
import type { ApiNode } from '../node.ts'
import { answerSubmission } from './submission.ts'

test.each([
  ['application/json', '{'],
  ['application/json', '{}'],
  ['application/x-www-form-urlencoded', 'a&'.repeat(32_000)],
  ['text/plain', 'hello'],
])('a body that is refused counts as a form of its address (%s)', async (type, body) => {
  const counted: [LimitName, unknown][] = []
  const node = {
    config: { trustedHops: 0, isProxy: () => false, publicUrl: 'http://localhost' },
    admission: { admit: async (...each: [LimitName, unknown]) => counted.push(each) },
  } as unknown as ApiNode
  const never = () => {
    throw new Error('It was taken')
  }
  const app = new Hono()
    .post('/', (c) => answerSubmission(node, c, { form: leadForm, trust: never, submit: never, answer: never }))
    .onError((_, c) => c.text('refused', 422))
  const incoming = { socket: { remoteAddress: '192.0.2.1' } }
  const answer = await app.request('/', { method: 'POST', headers: { 'content-type': type }, body }, { incoming })
  expect(answer.status).toBe(422)
  expect(counted).toEqual([['forms', { address: '192.0.2.1' }]])
})
