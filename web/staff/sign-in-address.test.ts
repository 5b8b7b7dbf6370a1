import { expect, it } from 'vitest'
import { afterSignIn, signInAddress } from './sign-in-address.ts'

it('leads back to the staff page that one was going to', () => {
  const { search } = new URL(signInAddress('/admin-chat?session=1'), 'http://localhost')
  expect(afterSignIn(search)).toBe('/admin-chat?session=1')
})

it('never leads anywhere else', () => {
  for (const next of ['https://evil.example/admin-chat', '//evil.example', '/\\evil.example', '/', 'http://[', '']) {
    expect(afterSignIn(`?next=${encodeURIComponent(next)}`)).toBe('/admin-dashboard')
  }
  expect(afterSignIn('')).toBe('/admin-dashboard')
})
