import { afterEach, expect, it, vi } from 'vitest'
import type { SubmittedLeadForm } from '../../../events/lead-form.ts'
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

afterEach(() => vi.unstubAllGlobals())

it('keeps its key and circumstances for a retry of the same contents, and takes a new one for others and after success', async () => {
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
