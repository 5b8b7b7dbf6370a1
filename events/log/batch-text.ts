import * as v from 'valibot'
import { catalogue } from '../catalogue.ts'
import { LogError } from '../keys/errors.ts'
import { seal } from '../keys/seal.ts'
import type { ProposedKey, SubjectKeys } from '../keys/subject-keys.ts'
import type { AppendRequest } from './append.ts'

/** A UUID as Postgres writes it, to match the rows it returns by id. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A valid name of a stream. */
const STREAM = /^[\w-]{1,200}$/

/** Throws a LogError `invalid_event` unless a request holds events of the catalogue, each in its current shape. */
export const assertValid = ({ stream, guards = [], events }: AppendRequest): void => {
  if (events.length === 0) {
    throw new LogError('invalid_event', `Nothing to append to ${stream}: give at least one event`)
  }
  const badName = [stream, ...guards.map((guard) => guard.stream)].find((name) => !STREAM.test(name))
  if (badName !== undefined) {
    throw new LogError(
      'invalid_event',
      `${JSON.stringify(badName)} is no name of a stream: use letters, digits, - and _`,
    )
  }
  for (const { id, type, data, subjectId, personal } of events) {
    if (!UUID.test(id)) {
      throw new LogError('invalid_event', `${JSON.stringify(id)} is no event id: give a UUID in lower case`)
    }
    const definition = catalogue.get(type)
    if (!definition) throw new LogError('invalid_event', `There is no event ${type}: see events/catalogue.ts`)
    const isAbout =
      definition.personal === null
        ? subjectId === null && personal === null
        : subjectId !== null && UUID.test(subjectId) && v.is(definition.personal, personal)
    if (!isAbout || !v.is(definition.data, data)) throw new LogError('invalid_event', `${type} does not fit its schema`)
  }
}

/** The subjects that a request writes about. */
export const subjectsOf = ({ events }: AppendRequest): string[] => [
  ...new Set(events.flatMap(({ subjectId, personal }) => (personal !== null && subjectId !== null ? [subjectId] : []))),
]

/** U+0000 and halves of surrogate pairs, as JSON.stringify writes them: no view could store them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/

const personalText = (type: string, personal: object): string => {
  const text = JSON.stringify(personal)
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    throw new LogError('invalid_event', `${type} holds characters that Postgres cannot store`)
  }
  return text
}

/**
 * A request's events as `batch_events` reads them, one per line, without their `nth`; personal data is encrypted. Every
 * subject has a key in the cache or in `proposed`. The id of a request is that of its first event.
 */
export const linesOf = (
  { stream, expectedVersion, events }: AppendRequest,
  { keys, proposed, metadata }: { keys: SubjectKeys; proposed: ReadonlyMap<string, ProposedKey>; metadata: string },
): string[] => {
  const request = events[0]?.id
  const expected = expectedVersion === 'any' ? '' : expectedVersion
  return events.map(({ id, type, data, subjectId, personal }) => {
    const proposal = subjectId === null ? undefined : proposed.get(subjectId)
    const key = subjectId === null ? undefined : (proposal?.key ?? keys.cached(subjectId))
    if (personal !== null && !key) throw new Error(`No key is available for the subject of event ${id}`)
    const sealed = personal !== null && key ? seal(key, id, personalText(type, personal)).toString('base64') : ''
    const version = catalogue.get(type)?.schemaVersion
    const about = `${JSON.stringify(data)}\t${subjectId ?? ''}\t${sealed}\t${metadata}`
    const offered = proposal ? `${proposal.wrapped.toString('base64')}\t${proposal.ringKey}` : '\t'
    return `${request}\t${id}\t${stream}\t${expected}\t${type}\t${version}\t${about}\t${offered}`
  })
}

/** A batch as `append_events` takes it: its lines, each with the place that it has among those of its stream. */
export const batchText = (requests: { request: AppendRequest; lines: string[] }[]): string => {
  const counts = new Map<string, number>()
  return requests
    .flatMap(({ request: { stream }, lines }) =>
      lines.map((line) => {
        const nth = (counts.get(stream) ?? 0) + 1
        counts.set(stream, nth)
        return `${nth}\t${line}`
      }),
    )
    .join('\n')
}

/** The guards of a batch, as `append_events` takes them. */
export const guardsText = (requests: { request: AppendRequest }[]): string =>
  requests
    .flatMap(({ request: { guards = [], events } }) =>
      guards.map(({ stream, version }) => `${events[0]?.id}\t${stream}\t${version}`),
    )
    .join('\n')
