import { afterEach, expect, it, vi } from 'vitest'
import type { SubmittedLeadForm } from '../../../events/lead/form/form.ts'
import { submission } from './submission.ts'

const form: SubmittedLeadForm = {
  name: 'Jane Doe',
  email: 'jane@example.com',
  phone: '0821234567',
  company: null,
  businessName: null,
  message: null,
  pageUrl: null,
  industry: null,
  package: null,
  timeline: null,
  leadSource: 'hero_form',
  agreedToTerms: null,
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const refusal = (status: number, retryAfter: string) =>
  new Response('', { status, headers: { 'retry-after': retryAfter } })

it('keeps its key and submissionContext for a retry of the same contents, and takes a new one for others and after success', async () => {
  const sent: unknown[] = []
  let answer = () => new Response('', { status: 503 })
  vi.stubGlobal('fetch', async (_: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    sent.push([headers['idempotency-key'], JSON.parse(body).openMs])
    return answer()
  })
  let made = 0
  const submit = submission('/api/leads', () => `key-${++made}`)
  await expect(submit(form, { openMs: 1 })).rejects.toThrow('503: ')
  await expect(submit(form, { openMs: 2 })).rejects.toThrow()
  await expect(submit({ ...form, name: 'Jane Roe' }, { openMs: 3 })).rejects.toThrow()
  answer = () => new Response('{}', { status: 201 })
  await submit({ ...form, name: 'Jane Roe' }, { openMs: 4 })
  await submit({ ...form, name: 'Jane Roe' }, { openMs: 5 })
  expect(sent).toEqual([
    ['key-1', 1],
    ['key-1', 1],
    ['key-2', 3],
    ['key-2', 3],
    ['key-3', 5],
  ])
})

it('is repeated once, by itself and with the same key, where a node that closes asks to come back in a moment', async () => {
  vi.useFakeTimers()
  const keys: string[] = []
  const answers = [refusal(503, '1'), new Response('{"id":"stored"}', { status: 201 })]
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key'] ?? '')
    return answers.shift()
  })
  const sent = submission('/api/leads', () => 'key')(form, {})
  await vi.advanceTimersByTimeAsync(900)
  expect(keys).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(700)
  expect(await sent).toEqual({ id: 'stored' })
  expect(keys).toEqual(['key', 'key'])
})

it.each([
  ['a second refusal', () => [refusal(503, '1'), refusal(503, '1'), refusal(503, '1')], 2],
  ['a node that asks for a minute', () => [refusal(503, '60')], 1],
  ['too many from one address', () => [refusal(429, '1')], 1],
  ['a refusal that names no time', () => [new Response('', { status: 503 })], 1],
] as const)('is not repeated after %s', async (_, answersOf, times) => {
  vi.useFakeTimers()
  const answers = answersOf()
  const asked = vi.fn(async () => answers.shift())
  vi.stubGlobal('fetch', asked)
  const sent = submission('/api/leads')(form, {})
  const failed = expect(sent).rejects.toThrow(/^(503|429): /)
  await vi.advanceTimersByTimeAsync(60_000)
  await failed
  expect(asked).toHaveBeenCalledTimes(times)
})
