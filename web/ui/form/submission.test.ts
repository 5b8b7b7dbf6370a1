import { afterEach, expect, it, vi } from 'vitest'
import type { SubmittedLeadForm } from '../../../events/lead.ts'
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

it('keeps its key for a retry of the same contents, and takes a new one for others and after success', async () => {
  const keys: unknown[] = []
  let answer = () => new Response('', { status: 503 })
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key'])
    return answer()
  })
  let made = 0
  const submit = submission('/api/leads', () => `key-${++made}`)
  await expect(submit(form)).rejects.toThrow('503: ')
  await expect(submit(form)).rejects.toThrow()
  await expect(submit({ ...form, name: 'Jane Roe' })).rejects.toThrow()
  answer = () => new Response('{}', { status: 201 })
  await submit({ ...form, name: 'Jane Roe' })
  await submit({ ...form, name: 'Jane Roe' })
  expect(keys).toEqual(['key-1', 'key-1', 'key-2', 'key-2', 'key-3'])
})
