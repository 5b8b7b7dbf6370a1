import type { AppendRequest } from '../log/append.ts'
import { deterministicUuid } from '../log/event-id.ts'
import { messageEvent } from './fixtures/samples.ts'

/** The nth request of a caller: always the same, so that the next writer can repeat it after one that died. */
export const numberedRequest = (caller: string, number: number): AppendRequest => {
  const event = (part: string) =>
    messageEvent(`${caller} ${number} ${part}`, deterministicUuid(caller, String(number), part))
  return { stream: `numbered-${caller}`, expectedVersion: 'any', events: [event('a'), event('b')] }
}
