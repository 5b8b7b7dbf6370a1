import { LogError } from '../keys/errors.ts'
import type { Appended, AppendRequest } from './append.ts'

/** How append_events judged an event of a batch. See there for the outcomes. */
export type RequestRow = {
  request: string
  outcome: 'appended' | 'known' | 'erased' | 'key' | 'reused' | 'guard' | 'version'
  id: string
  position: number
  version: number
  recorded_at: Date
}

/** A batch was stored as a whole, after `position`; `versions` are those of its events, in order. */
export type WholeRow = { outcome: 'whole'; position: number; recorded_at: Date; versions: string }

/** A row that append_events returns. `is_flushed`: the batch is on the disk. */
export type ResultRow = (RequestRow | WholeRow) & { is_flushed: boolean }

/** The places of a batch that was stored as a whole, a request each. */
export const placesInWhole = (
  batch: { request: Pick<AppendRequest, 'events'> }[],
  { position: before, recorded_at: recordedAt, versions }: WholeRow,
): Appended[] => {
  const each = versions.split(' ')
  let place = 0
  return batch.map(({ request }) => ({
    isDuplicate: false,
    events: request.events.map(({ id }) => {
      place += 1
      return { id, position: before + place, version: Number(each[place - 1]), recordedAt }
    }),
  }))
}

/** The position of the last event that was stored. */
export const lastPosition = (stored: Appended[]): number => stored.at(-1)?.events.at(-1)?.position ?? 0

/** Returns the outcome of one request by its rows. Throws if it must be encrypted again with another key. */
export const outcomeOf = (
  { stream, expectedVersion }: AppendRequest,
  rows: readonly [RequestRow, ...RequestRow[]],
): Appended | LogError => {
  const [{ outcome, version }] = rows
  switch (outcome) {
    case 'appended':
    case 'known':
      return {
        isDuplicate: outcome === 'known',
        events: rows.map((row) => ({
          id: row.id,
          position: row.position,
          version: row.version,
          recordedAt: row.recorded_at,
        })),
      }
    case 'guard':
      return new LogError('guard_failed', `A stream that ${stream} relies on is at version ${version}`, {
        currentVersion: version,
      })
    case 'erased':
      return new LogError('erased', 'This person has been erased: nothing can be stored about them')
    case 'key':
      throw new Error('A request that has to be encrypted again is not answered')
    case 'reused':
      return new LogError('event_id_reused', `An event id of this request is stored with another payload (${stream})`)
    case 'version':
      return new LogError('wrong_version', `${stream} is at version ${version}, not at ${expectedVersion}`, {
        currentVersion: version,
      })
    default:
      return outcome satisfies never
  }
}
