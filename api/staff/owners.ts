import type { Queryable } from '../../events/log/decode.ts'
import { RequestError } from '../http/errors.ts'

export const ownersOnly = () => new RequestError('not_allowed', 'Only an admin may do this')

/**
 * Locks all owners until the transaction ends, always in the same order, and returns their ids. An owner who is demoted
 * or removed at the same moment has either finished before, so that their tokens and webhooks are settled, or is
 * refused here. `by` is null for the command line.
 */
export const holdOwners = async (tx: Queryable, by: string | null): Promise<string[]> => {
  const owners = await tx<{ id: string }[]>`
    select id from staff where role = 'owner' and removed_at is null order by id for no key update`
  const ids = owners.map(({ id }) => id)
  if (by !== null && !ids.includes(by)) throw ownersOnly()
  return ids
}
