import { setTimeout as delay } from 'node:timers/promises'

/** The place of an event, as reported to a writer and as found by a reader. */
export type Placed = { id: string; stream: string; position: number; version: number }

const POLL_MS = 1

/**
 * Reads from the last position seen, as a consumer of the log does, until `isOver` and nothing more comes. `readAfter`
 * returns the events after a position.
 */
export const watchLog = async (
  readAfter: (position: number) => Promise<Placed[]>,
  isOver: () => boolean,
): Promise<Placed[]> => {
  const seen: Placed[] = []
  for (;;) {
    const isLast = isOver()
    const found = await readAfter(seen.at(-1)?.position ?? 0)
    seen.push(...found)
    if (found.length > 0) continue
    if (isLast) return seen
    await delay(POLL_MS)
  }
}

/**
 * The differences between the events that a live reader saw and the results of the writers: events missed, doubled, out
 * of order, holes in the positions or in the versions of a stream, and places that differ. Empty if there are none.
 */
export const orderViolations = (seen: Placed[], acknowledged: Placed[]): string[] => {
  const violations: string[] = []
  const seenById = new Map<string, Placed>()
  const versions = new Map<string, number>()
  let last = 0

  for (const event of seen) {
    const { id, stream, position, version } = event
    if (seenById.has(id)) violations.push(`doubled: event ${id} at ${position}`)
    seenById.set(id, event)
    if (position <= last) violations.push(`out of order: ${position} after ${last}`)
    else if (position > last + 1) violations.push(`hole: ${position} after ${last}`)
    last = position
    const before = versions.get(stream) ?? 0
    if (version !== before + 1) violations.push(`versions: ${stream} has ${version} after ${before}`)
    versions.set(stream, version)
  }

  const acknowledgedIds = new Set(acknowledged.map(({ id }) => id))
  for (const { id, stream, position, version } of acknowledged) {
    const found = seenById.get(id)
    if (!found) violations.push(`missed: event ${id} at ${position}`)
    else if (found.position !== position || found.version !== version || found.stream !== stream) {
      violations.push(
        `other place: event ${id} was said to be ${stream} ${version} at ${position}, is ${found.stream} ${found.version} at ${found.position}`,
      )
    }
  }
  for (const { id, position } of seen) {
    if (!acknowledgedIds.has(id)) violations.push(`nobody's: event ${id} at ${position} was acknowledged to no writer`)
  }
  return violations
}
