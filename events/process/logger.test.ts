import postgres from 'postgres'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { requestContext, runWith } from './context.ts'
import { createLogger } from './logger.ts'

const MARKER = 'Nomvula Khumalo'

const openLog = () => {
  const lines: string[] = []
  const write = (line: string) => {
    lines.push(line)
  }
  const logger = createLogger({ level: 'info', base: { node: 'n1' } }, { write })
  return { logger, read: () => lines.map((line) => JSON.parse(line)) }
}

const errorOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

test('log lines in a context carry its id, others none', () => {
  const { logger, read } = openLog()
  const context = requestContext()
  logger.info('before')
  runWith(context, () => logger.info({ eventId: 'e1' }, 'within'), { socketId: 's1' })
  const [before, within] = read()
  expect(before).not.toHaveProperty('requestId')
  expect(within).toMatchObject({
    node: 'n1',
    requestId: context.correlationId,
    socketId: 's1',
    eventId: 'e1',
    msg: 'within',
  })
})

test('an error is logged with its code, its place and its causes', () => {
  const { logger, read } = openLog()
  const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
  logger.error({ err: new Error('the log gave no answer', { cause }) }, 'failed')
  const [{ err }] = read()
  expect(err).toMatchObject({
    type: 'Error',
    message: 'the log gave no answer',
    stack: expect.stringContaining('logger.test.ts'),
    cause: { message: 'connection refused', code: 'ECONNREFUSED' },
  })
})

const postgresError = (code: string, message: string) =>
  new postgres.PostgresError({ code, message, detail: `Failing row: ${MARKER}`, where: MARKER } as never)

test.each([
  ['JSON that cannot be read', () => errorOf(() => JSON.parse(`${MARKER} {`))],
  ['a value that fits no schema', () => errorOf(() => v.parse(v.number(), MARKER))],
  [
    'a value that Postgres cannot read',
    () => postgresError('22P02', `invalid input syntax for type uuid: "${MARKER}"`),
  ],
  ['a row that Postgres refuses', () => postgresError('23514', 'new row violates check constraint "events_type"')],
  ['a command to Redis', () => Object.assign(new Error('timed out'), { command: { name: 'publish', args: [MARKER] } })],
  ['an error with a cause', () => new Error('failed', { cause: errorOf(() => JSON.parse(MARKER)) })],
  ['several errors at once', () => new AggregateError([errorOf(() => JSON.parse(MARKER))], 'all failed')],
  ['something that is no error', () => ({ message: MARKER })],
])('what people typed is left out: %s', (_, make) => {
  const { logger, read } = openLog()
  logger.error({ err: make() }, 'failed')
  const text = JSON.stringify(read())
  for (const part of [MARKER, ...MARKER.split(' ')]) expect(text).not.toContain(part)
})

test('the constraint that refused a row is named', () => {
  const { logger, read } = openLog()
  logger.error({ err: postgresError('23514', 'new row violates check constraint "events_type"') }, 'failed')
  expect(read()[0].err).toMatchObject({ code: '23514', message: 'new row violates check constraint "events_type"' })
})
