import pino, { type DestinationStream, type Logger } from 'pino'
import { errorCode } from '../base/error-code.ts'
import { logFields } from './context.ts'

const MAX_CAUSES = 5

type LoggedError = { type: string; message: string; code?: string; stack?: string; cause?: unknown; errors?: unknown[] }

/** Errors that quote the input they could not read: those of JSON and of schemas, and Postgres's data exceptions. */
const quotesInput = (error: Error) =>
  error.name === 'SyntaxError' ||
  error.name === 'ValiError' ||
  (error.name === 'PostgresError' && errorCode(error).startsWith('22'))

const messageOf = (error: Error) => (quotesInput(error) ? error.message.replace(/["'].*["']/s, '…') : error.message)

/** The stack frames of an error. The lines before them repeat the message. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/**
 * An error as log lines show it: only its place and cause. Libraries attach to their errors the row, the command or the
 * text that failed, and those hold text that people typed.
 */
const describe = (error: unknown, causes = 0): unknown => {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return { type: typeof error }
  const code = errorCode(error)
  const described: LoggedError = { type: error.name, message: messageOf(error), stack: framesOf(error) }
  if (code) described.code = code
  if (causes === MAX_CAUSES) return described
  if (error.cause !== undefined) described.cause = describe(error.cause, causes + 1)
  if (error instanceof AggregateError) described.errors = error.errors.map((each) => describe(each, MAX_CAUSES))
  return described
}

/**
 * The logger of a process: JSON lines, to standard error unless another destination is given. Lines that are written in
 * a context carry its `requestId`. `base` names the process.
 */
export const createLogger = (
  { level, base }: { level: string; base: Record<string, string | number> },
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger => pino({ level, base, mixin: logFields, serializers: { err: (error) => describe(error) } }, destination)
