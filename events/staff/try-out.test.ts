import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isTryOutSecret, reachedFromOutside, TRY_OUT_PASSWORD } from './try-out.ts'

const compose = readFileSync('compose.yaml', 'utf8')

test.each(['POSTGRES_PASSWORD', 'DATABASE_PASSWORD', 'REDIS_PASSWORD', 'SESSION_SECRET', 'DATA_KEY', 'STAFF_PASSWORD'])(
  'the default of %s in compose.yaml is known as one of a try-out, wherever it stands',
  (name) => {
    const defaults = [...compose.matchAll(new RegExp(`\\$\\{${name}:-([^$}]+)`, 'g'))].map(([, value = '']) => value)
    expect(defaults.length).toBeGreaterThan(0)
    for (const value of defaults) {
      expect(isTryOutSecret(value)).toBe(true)
      expect(isTryOutSecret(`another secret of somebody,${value}`)).toBe(true)
    }
  },
)

test('the first account’s default password is the one that is looked for', () => {
  expect(compose).toContain(`STAFF_PASSWORD:-${TRY_OUT_PASSWORD}}`)
})

test.each(['a secret of somebody', 'yEpnbhHtTWEQ3kqKVYSOjTg2ZRgJdI9ym8oW2N1IZTI=', '', 'a,b'])(
  '%j is nobody’s default',
  (value) => {
    expect(isTryOutSecret(value)).toBe(false)
  },
)

test.each<[Parameters<typeof reachedFromOutside>[0], string | undefined]>([
  [{}, undefined],
  [{ PUBLIC_URL: '', PUBLISHED_ADDRESS: '' }, undefined],
  [{ PUBLIC_URL: 'http://localhost:8080', PUBLISHED_ADDRESS: '127.0.0.1' }, undefined],
  [{ PUBLIC_URL: 'http://127.0.0.2:8080', PUBLISHED_ADDRESS: '::1' }, undefined],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, undefined],
  [{ PUBLIC_URL: 'http://site.localhost' }, undefined],
  [{ PUBLIC_URL: 'https://www.example.com' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://192.168.1.5:8080' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://localhost.example.com' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://127.0.0.1.example.com' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://localhost:8080', PUBLISHED_ADDRESS: '0.0.0.0' }, 'PUBLISHED_ADDRESS'],
  [{ PUBLISHED_ADDRESS: '::' }, 'PUBLISHED_ADDRESS'],
  [{ PUBLISHED_ADDRESS: '10.0.0.7' }, 'PUBLISHED_ADDRESS'],
])('%j is reached from outside by %j', (reach, variable) => {
  expect(reachedFromOutside(reach)).toBe(variable)
})
