import type { DeclaredEvents, Queryable } from '../log/read.ts'
import type { Projection } from './projection.ts'

/** The events folded into a view: up to which position, how many, and whether there may be more. */
export type Folded = { position: number; events: number; hasMore: boolean }

/**
 * Folds events into a view's tables, batch after batch. While Postgres writes one, the next is read and decrypted.
 * `read` returns the events after a position and after the previous batch, or undefined to stop; a batch without
 * progress stops too. `onBatch` is called for each batch while Postgres writes it.
 */
export const foldEvents = async (
  tx: Queryable,
  { apply }: Pick<Projection, 'apply'>,
  {
    schema,
    from,
    read,
    onBatch = async () => {},
  }: {
    schema: string
    from: number
    read: (after: number, before?: DeclaredEvents) => Promise<DeclaredEvents> | undefined
    onBatch?: (position: number) => Promise<void>
  },
): Promise<Folded> => {
  const folded: Folded = { position: from, events: 0, hasMore: false }
  let reading = read(from)
  let writing: Promise<unknown> = Promise.resolve()
  while (reading) {
    const batch: DeclaredEvents = await reading
    folded.hasMore = batch.hasMore
    if (batch.position === folded.position) break
    folded.position = batch.position
    folded.events += batch.events.length
    reading = read(batch.position, batch)
    reading?.catch(() => {}) // awaited in the next round; must not go unhandled should `apply` fail first
    const applied = batch.events.length > 0 ? apply(tx, schema, batch.events) : []
    const [statements] = await Promise.all([applied, writing])
    writing = Promise.all(statements)
    writing.catch(() => {})
    await onBatch(folded.position)
  }
  await writing
  return folded
}
