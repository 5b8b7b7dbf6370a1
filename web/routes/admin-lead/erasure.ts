import { type Erasable, erasable, leftToErase } from '../../../events/lead/person/person-wire.ts'
import { read } from '../../client/get.ts'
import { repeatedly, send } from '../../client/http.ts'
import { addressOf } from '../../staff/leads/lead.ts'
import { conflictIn } from '../../staff/requests/refusal.ts'
import { FRESH, useGet } from '../../staff/requests/use-get.ts'

/** The status of the response while an erasure continues. Each request takes the server 2 s. */
const STILL_ERASING = 202
/** The maximum number of requests to the server while it has no time. */
const MAX_TRIES = 6
/** How long an erasure without progress is watched. */
const STALLED_AFTER_MS = 60_000

/** The data that erasing the person behind a lead would remove, read from the server each time. Owners only. */
export const useErasable = (id: string) => useGet([addressOf(id), 'erase'], erasable, FRESH)

/** The data to erase now, if it is more than an erasure has named. */
export const erasableOf = (error: unknown) => conflictIn(error, erasable)

/**
 * Erases the person behind a lead: all personal data in the leads that were shown, or in the chosen ones of them, and
 * in their chats. Once `onLeft` has been called, with the number left, the rest is erased even if this page is closed.
 * Resolves when all are erased. Throws if the server refuses, and if there is no progress for a minute. Owners only.
 */
export const erasePerson = async (
  id: string,
  {
    asOf,
    leads: named,
    chosenIds,
    contracts,
  }: Pick<Erasable, 'asOf' | 'leads'> & { chosenIds: string[]; contracts?: 'keep' | 'erase' | undefined },
  onLeft: (left: number) => void,
) => {
  // the whole list may be more than a request can name
  const choice = {
    ...(chosenIds.length === named.length ? { asOf } : { asOf, chosenIds }),
    ...(contracts && { contracts }),
  }
  let before = Number.POSITIVE_INFINITY
  let lastDropAt = performance.now()
  for (;;) {
    const response = await repeatedly(() => send('POST', `${addressOf(id)}/erase`, choice), { tries: MAX_TRIES })
    if (response.status !== STILL_ERASING) return
    const { left } = await read(leftToErase)(response)
    if (left < before) lastDropAt = performance.now()
    else if (performance.now() - lastDropAt > STALLED_AFTER_MS)
      throw new Error(`Nothing more is erased for now: ${left} are left`)
    before = left
    onLeft(left)
  }
}
