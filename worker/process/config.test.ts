import { expect, test } from 'vitest'
import { TEST_DATA_KEY } from '../../events/testing/keys.ts'
import { readConfig } from './config.ts'

const STORES = { DATABASE_URL: 'postgres://localhost/agency', REDIS_URL: 'redis://localhost', DATA_KEY: TEST_DATA_KEY }

test('with nothing else set, email stays in the outbox, and comes from the agency; no port is taken', () => {
  expect(readConfig({ ...STORES, AGENCY_EMAIL: 'hello@agency.example' })).toMatchObject({
    emailForwardUrl: undefined,
    smtpUrl: undefined,
    signingKeys: undefined,
    emailFrom: undefined,
    agencyEmail: 'hello@agency.example',
    publicUrl: 'http://localhost:3000',
    port: 0,
  })
})

test.each(['smtp://mail.example:587', 'smtps://site:p%40ss@mail.example', 'smtp://[::1]:1025'])(
  '%s is an SMTP server',
  (SMTP_URL) => {
    expect(readConfig({ ...STORES, SMTP_URL }).smtpUrl).toBe(SMTP_URL)
  },
)

test('unusable values are named, all of them at once', () => {
  const bad = {
    SMTP_URL: 'http://mail.example',
    EMAIL_FROM: 'agency',
    SESSION_SECRET: 'short',
    EMAIL_FORWARD_URL: 'ftp://x',
  }
  expect(() => readConfig({ ...STORES, ...bad })).toThrow(
    [
      'SESSION_SECRET cannot be used: expected a secret of at least 16 characters, the same on all nodes',
      'EMAIL_FORWARD_URL cannot be used: expected an address such as https://www.example.com',
      'SMTP_URL cannot be used: expected an address such as smtp://user:password@smtp.example.com:587',
      'EMAIL_FROM cannot be used: expected an email address',
    ].join('\n'),
  )
})

test.each(['mail.example', 'mail:25', 'http://mail.example'])('%s is no server, which is reported once', (SMTP_URL) => {
  expect(() => readConfig({ ...STORES, SMTP_URL })).toThrow(
    /^SMTP_URL cannot be used: expected an address such as smtp:[^\n]*$/,
  )
})

test('a password that is not written as an address requires is reported at the start', () => {
  expect(() => readConfig({ ...STORES, SMTP_URL: 'smtp://site:100%@mail.example' })).toThrow(
    'SMTP_URL cannot be used: expected a host, and user and password with % written as %25',
  )
})

test('each lane has a rate and a number of emails at once, and other values are refused', () => {
  expect(readConfig(STORES).emailLanes).toEqual({
    service: { perMinute: 20, concurrency: 1 },
    smtp: { perMinute: 30, concurrency: 3 },
  })
  expect(readConfig({ ...STORES, EMAIL_SMTP_PER_MINUTE: '600' }).emailLanes.smtp.perMinute).toBe(600)
  expect(() => readConfig({ ...STORES, EMAIL_SERVICE_PER_MINUTE: '0', EMAIL_SMTP_CONCURRENCY: 'all' })).toThrow(
    [
      'EMAIL_SERVICE_PER_MINUTE cannot be used: expected a whole number from 1 to 6000',
      'EMAIL_SMTP_CONCURRENCY cannot be used: expected a whole number from 1 to 50',
    ].join('\n'),
  )
})

/** The lines with which an environment is refused, sorted. */
const linesOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error instanceof Error ? error.message : '').split('\n').toSorted()
  }
}

test('without an address of Postgres and Redis, or a key, each is named in a line', () => {
  expect(linesOf({ ...STORES, DATABASE_URL: '', REDIS_URL: '', DATA_KEY: '' })).toEqual([
    expect.stringMatching(/^DATABASE_URL is not set: expected an address such as postgres:/),
    expect.stringMatching(/^DATA_KEY is not set: expected 32 random bytes in base64/),
    expect.stringMatching(/^REDIS_URL is not set: expected an address such as redis:/),
  ])
})

test.each([
  ['PUBLIC_URL', 'https://www.agency.example'],
  ['PUBLISHED_ADDRESS', '0.0.0.0'],
])('well-known secrets are named if other machines can connect, by %s', (variable, value) => {
  const known = {
    DATABASE_URL: 'postgres://agency:try-out-only-append@localhost/agency',
    SESSION_SECRET: 'a secret of somebody, try-out-only-not-a-secret',
    DATA_KEY: 'dHJ5LW91dC1vbmx5LW5vdC1hLXNlY3JldC1hdC1hbGw=',
  }
  expect(linesOf({ ...STORES, ...known, [variable]: value })).toEqual(
    Object.keys(known)
      .toSorted()
      .map(
        (name) =>
          `${name} cannot be used: the value of the try-out is public, and ${variable} is ${value}: set your own`,
      ),
  )
})
