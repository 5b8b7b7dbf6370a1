import { messageEvent } from '../fixtures/samples.ts'
import type { AppendRequest } from './append.ts'
import { idFromKey } from './event-id.ts'

/** The nth request of a caller: always the same, so that the next writer can repeat it after one that died. */
export const numberedRequest = (caller: string, number: number): AppendRequest => {
  const event = (part: string) => messageEvent(`${caller} ${number} ${part}`, idFromKey(caller, String(number), part))
  return { stream: `numbered-${caller}`, expectedVersion: 'any', events: [event('a'), event('b')] }
}
