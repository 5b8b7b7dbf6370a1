import * as v from 'valibot'
import { catalogue } from '../catalogue.ts'
import type { AppendRequest } from './append.ts'
import { LogError } from './errors.ts'
import { seal } from './seal.ts'
import type { ProposedKey, SubjectKeys } from './subject-keys.ts'

/** As Postgres writes a UUID, so that what it answers can be told apart by id. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Throws a LogError `invalid_event` unless a request holds events of the catalogue, each in its current shape. */
export const assertValid = ({ stream, events }: AppendRequest): void => {
  if (events.length === 0) {
    throw new LogError('invalid_event', `Nothing to append to ${stream}: give at least one event`)
  }
  for (const { id, type, data, subjectId, personal } of events) {
    if (!UUID.test(id)) {
      throw new LogError('invalid_event', `${JSON.stringify(id)} is no event id: give a UUID in lower case`)
    }
    const definition = catalogue.get(type)
    if (!definition) throw new LogError('invalid_event', `There is no event ${type}: see events/catalogue.ts`)
    const isAboutSomeone = definition.personal !== null
    const fits =
      v.is(definition.data, data) &&
      (definition.personal === null || v.is(definition.personal, personal)) &&
      isAboutSomeone === (subjectId !== null && UUID.test(subjectId))
    if (!fits) throw new LogError('invalid_event', `${type} does not fit its schema`)
  }
}

/** The subjects whom a request writes about. */
export const subjectsOf = ({ events }: AppendRequest): string[] => [
  ...new Set(events.flatMap(({ subjectId, personal }) => (personal !== null && subjectId !== null ? [subjectId] : []))),
]

/** U+0000 and halves of surrogate pairs, as JSON.stringify writes them: no view could keep them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/

const personalText = (type: string, personal: object): string => {
  const text = JSON.stringify(personal)
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    throw new LogError('invalid_event', `${type} holds characters that Postgres cannot store`)
  }
  return text
}

/**
 * A request's events as append_events takes them, the members of a JSON array, with what is personal encrypted. Every
 * subject has a key at hand or in `proposed`. A request is named by its first event's id.
 */
export const rowsOfRequest = (
  { stream, expectedVersion, events }: AppendRequest,
  { keys, proposed, metadata }: { keys: SubjectKeys; proposed: ReadonlyMap<string, ProposedKey>; metadata: string },
): string => {
  const request = events[0]?.id
  const expected = expectedVersion === 'any' ? null : expectedVersion
  const rows = events.map(({ id, type, data, subjectId, personal }) => {
    const row = {
      request,
      id,
      stream,
      expected,
      type,
      schemaVersion: catalogue.get(type)?.schemaVersion,
      data,
      subjectId,
    }
    const proposal = subjectId === null ? undefined : proposed.get(subjectId)
    const key = subjectId === null ? undefined : (proposal?.key ?? keys.kept(subjectId))
    if (personal !== null && !key) throw new Error(`No key is at hand for the subject of event ${id}`)
    const sealed = personal !== null &&
      key && { personal: seal(key, id, personalText(type, personal)).toString('base64') }
    const offered = proposal && { wrapped: proposal.wrapped.toString('base64'), ringKey: proposal.ringKey }
    return `${JSON.stringify({ ...row, ...sealed, ...offered }).slice(0, -1)},"metadata":${metadata}}`
  })
  return rows.join()
}
