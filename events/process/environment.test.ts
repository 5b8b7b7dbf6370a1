import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  databaseUrl,
  EnvironmentError,
  logLevel,
  parseEnvironment,
  port,
  redisUrl,
  webUrl,
  wholeNumber,
} from './environment.ts'

const variables = {
  PORT: v.optional(port, '3000'),
  NODES: v.optional(wholeNumber(1, 64), '2'),
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  PUBLIC_URL: v.optional(webUrl),
  LOG_LEVEL: logLevel,
}
const good = { DATABASE_URL: 'postgres://localhost/agency', REDIS_URL: 'redis://localhost' }

const errorOf = (environment: Record<string, string>) => {
  try {
    parseEnvironment(variables, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(EnvironmentError)
    return (error as EnvironmentError).message.split('\n')
  }
  throw new Error('the environment was accepted')
}

test('an unset or empty variable takes its default', () => {
  const defaults = { ...good, PORT: 3_000, NODES: 2, PUBLIC_URL: undefined, LOG_LEVEL: 'info' }
  expect(parseEnvironment(variables, good)).toEqual(defaults)
  expect(parseEnvironment(variables, { ...good, PORT: '', LOG_LEVEL: '', OTHER: 'x' })).toEqual(defaults)
})

test('all invalid variables are named at once, with the expected values', () => {
  expect(
    errorOf({ PORT: 'http', NODES: '65', REDIS_URL: 'localhost:6379', PUBLIC_URL: 'ftp://x', LOG_LEVEL: 'loud' }),
  ).toEqual([
    'PORT cannot be used: expected a whole number from 1 to 65535',
    'NODES cannot be used: expected a whole number from 1 to 64',
    'DATABASE_URL is not set: expected an address such as postgres://user:password@localhost:5432/agency',
    'REDIS_URL cannot be used: expected an address such as redis://localhost:6379',
    'PUBLIC_URL cannot be used: expected an address such as https://www.example.com',
    'LOG_LEVEL cannot be used: expected fatal, error, warn, info, debug, trace or silent',
  ])
})

test.each(['0', '65536', '80.5', '1e3', '-1', ' 80', '0x50', '9999999999999999'])('%j is no port', (value) => {
  expect(errorOf({ ...good, PORT: value })).toEqual(['PORT cannot be used: expected a whole number from 1 to 65535'])
})

test.each(['http://localhost', 'localhost', 'postgres', 'postgres//x'])('%j is no address of Postgres', (value) => {
  expect(errorOf({ ...good, DATABASE_URL: value })).toHaveLength(1)
})

test.each([
  'redis://localhost:6379/3',
  'rediss://user:secret@redis.example.com',
  'redis+sentinel://one:26379,two:26379/main',
  'redis+cluster://one:6379,two:6379',
])('%j is an address of Redis', (value) => {
  expect(parseEnvironment(variables, { ...good, REDIS_URL: value })).toMatchObject({ REDIS_URL: value })
})
