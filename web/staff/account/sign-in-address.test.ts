import { expect, it } from 'vitest'
import { afterSignIn, signInAddress } from './sign-in-address.ts'

it('leads back to the requested staff page', () => {
  for (const path of [
    '/admin-chat?session=1',
    '/admin-lead?id=00000000-0000-4000-8000-000000000001',
    '/admin-dashboard?period=week&date=2026-11-21&q=a%26b%20%22c%22&sort=asc&page=2',
    '/admin-settings/accounts',
    '/Admin-Account',
    '/admin-account-history',
  ]) {
    const { search } = new URL(signInAddress(path), 'http://localhost')
    expect(afterSignIn(search)).toBe(path)
  }
})

it('never leads anywhere else', () => {
  for (const next of ['https://evil.example/admin-chat', '//evil.example', '/\\evil.example', '/', 'http://[', '']) {
    expect(afterSignIn(`?next=${encodeURIComponent(next)}`)).toBe('/admin-today')
  }
  expect(afterSignIn('')).toBe('/admin-today')
})
