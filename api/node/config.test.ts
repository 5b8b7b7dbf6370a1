import { expect, test } from 'vitest'
import { TEST_DATA_KEY } from '../../events/testing/keys.ts'
import { readConfig } from './config.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/agency',
  REDIS_URL: 'redis://localhost',
  SESSION_SECRET: 'a secret of the tests',
  DATA_KEY: TEST_DATA_KEY,
}

test.each<[Record<string, string>, string]>([
  [{ PORT: '70000' }, 'PORT cannot be used: expected a whole number from 1 to 65535'],
  [{ PORT: '3000.5' }, 'PORT cannot be used: expected a whole number from 1 to 65535'],
  [{ NODES: '0' }, 'NODES cannot be used: expected a whole number from 1 to 64'],
  [{ LISTEN_ADDRESS: 'everywhere' }, 'LISTEN_ADDRESS cannot be used: expected an IP address such as 127.0.0.1'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY cannot be used: expected a whole number from 0 to 10'],
  [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES cannot be used: expected addresses or networks'],
  [
    { TRUST_PROXY: '2', PUBLISHED_ADDRESS: '10.0.0.5', TRUSTED_PROXIES: '' },
    'TRUSTED_PROXIES is not set: with TRUST_PROXY=2, and 10.0.0.5 to listen on, expected the addresses',
  ],
  [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL cannot be used: expected an address such as postgres://'],
  [{ REDIS_URL: 'http://localhost' }, 'REDIS_URL cannot be used: expected an address such as redis://'],
  [{ PUBLIC_URL: 'www.example.com' }, 'PUBLIC_URL cannot be used: expected an address such as https://'],
  [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET cannot be used: expected a secret of at least 16 characters'],
  [{ SESSION_SECRET: '' }, 'SESSION_SECRET is not set: expected a secret of at least 16 characters'],
  [{ DATA_KEY: 'short' }, 'DATA_KEY cannot be used: expected 32 random bytes in base64'],
  [{ DATA_KEY: '' }, 'DATA_KEY is not set: expected 32 random bytes in base64'],
  [{ STAFF_PASSWORD: 'short' }, 'STAFF_PASSWORD cannot be used: expected at least 8 characters'],
  [{ STAFF_PASSWORD: 'Password1' }, 'STAFF_PASSWORD cannot be used: expected none of the most common passwords'],
  [
    { STAFF_PASSWORD: 'karoo-web-2026', AGENCY_NAME: 'Karoo Web' },
    'STAFF_PASSWORD cannot be used: expected none of the most common passwords, nor the name of',
  ],
  [{ AGENCY_EMAIL: 'nobody' }, 'AGENCY_EMAIL cannot be used: expected an email address'],
  [{ ANALYTICS_ID: '<script>' }, 'ANALYTICS_ID cannot be used: expected an id'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL cannot be used: expected fatal, error'],
  [{ CODE_COMMIT: 'latest' }, 'CODE_COMMIT cannot be used: expected the hash of a commit'],
])('names the variable at fault and what was expected in one line: %j', (env, line) => {
  let message = ''
  try {
    readConfig({ ...REQUIRED, ...env })
  } catch (error) {
    message = error instanceof Error ? `${error.name}: ${error.message}` : ''
  }
  expect(message).toContain(`EnvironmentError: ${line}`)
  expect(message).not.toContain('\n')
})

test.each<[env: Record<string, string>, warned: number]>([
  [{}, 0],
  [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 0],
  [{ PUBLIC_URL: 'https://www.example.com', PUBLISHED_ADDRESS: '0.0.0.0' }, 0],
  [{ PUBLIC_URL: 'http://www.example.com' }, 1],
  [{ PUBLIC_URL: 'http://192.168.1.5:8080' }, 1],
  [{ PUBLISHED_ADDRESS: '0.0.0.0' }, 1],
])('with %j %i warnings are given of what crosses the network in the clear', (env, warned) => {
  const { warnings } = readConfig({ ...REQUIRED, ...env })
  expect(warnings).toEqual(Array(warned).fill(expect.stringMatching(/^PUBLIC_URL is http: /)))
})

test('fills in values that are left out, empty or not set', () => {
  const config = readConfig({ ...REQUIRED, PORT: '', NODES: '' })
  expect(config).toMatchObject({
    port: 3000,
    nodes: 2,
    trustedHops: 0,
    publicUrl: 'http://localhost:3000',
    firstStaff: { username: 'staff', password: undefined },
  })
  expect([...config.allowedOrigins]).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
})

test.each<[why: string, Record<string, string>]>([
  ['only this machine reaches it', { TRUST_PROXY: '2', PUBLISHED_ADDRESS: '127.0.0.1' }],
  ['compose names no address', { TRUST_PROXY: '2', PUBLISHED_ADDRESS: '' }],
  ['there is none', { TRUST_PROXY: '0', PUBLISHED_ADDRESS: '0.0.0.0' }],
  ['nginx is the only proxy', { TRUST_PROXY: '1', PUBLISHED_ADDRESS: '0.0.0.0' }],
  ['they are named', { TRUST_PROXY: '2', PUBLISHED_ADDRESS: '10.0.0.5', TRUSTED_PROXIES: 'own-networks,10.0.0.7' }],
])('does not ask for the proxies where %s', (_, env) => {
  expect(readConfig({ ...REQUIRED, ...env }).trustedHops).toBe(Number(env.TRUST_PROXY))
})

test('allows only the origin of PUBLIC_URL if it is set', () => {
  const config = readConfig({ ...REQUIRED, PUBLIC_URL: 'https://www.example.com/site/' })
  expect([...config.allowedOrigins]).toEqual(['https://www.example.com'])
  expect(config.publicUrl).toBe('https://www.example.com/site')
})

/** The errors of an environment, sorted. */
const linesOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error instanceof Error ? error.message : '').split('\n').toSorted()
  }
}

test('without an address of Postgres and Redis, or a key, each is named in a line', () => {
  expect(linesOf({ ...REQUIRED, DATABASE_URL: '', REDIS_URL: '', DATA_KEY: '' })).toEqual([
    expect.stringMatching(/^DATABASE_URL is not set: expected an address such as postgres:/),
    expect.stringMatching(/^DATA_KEY is not set: expected 32 random bytes in base64/),
    expect.stringMatching(/^REDIS_URL is not set: expected an address such as redis:/),
  ])
})

test.each([
  ['PUBLIC_URL', 'https://www.agency.example'],
  ['PUBLISHED_ADDRESS', '0.0.0.0'],
])('well-known secrets are named if other machines can reach the site, by %s', (variable, value) => {
  const known = {
    DATABASE_URL: 'postgres://agency:try-out-only-append@localhost/agency',
    SESSION_SECRET: 'a secret of somebody, try-out-only-not-a-secret',
    DATA_KEY: 'dHJ5LW91dC1vbmx5LW5vdC1hLXNlY3JldC1hdC1hbGw=',
  }
  expect(linesOf({ ...REQUIRED, ...known, [variable]: value })).toEqual(
    Object.keys(known)
      .toSorted()
      .map(
        (name) =>
          `${name} cannot be used: the value of the try-out is public, and ${variable} is ${value}: set your own`,
      ),
  )
})
