import { mutate } from 'swr'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { type Colleague, colleagues } from '../../../events/staff/wire.ts'
import { useGet } from '../requests/use-get.ts'

export const COLLEAGUES_KEY = '/api/staff'

/** All staff of the agency, sorted by name. */
export const useColleagues = () => useGet(COLLEAGUES_KEY, colleagues, { poll: 'seldom' })

/** The name of a lead's owner; undefined if it is unassigned. */
export const useOwnerName = (ownerId: string | null) => {
  const { data } = useColleagues()
  if (ownerId === null) return undefined
  return data?.find(({ id }) => id === ownerId)?.displayName ?? FORMER_COLLEAGUE
}

export const refreshColleagues = () => mutate(COLLEAGUES_KEY)

/** A staff member's current name: the name stored with a message may be older. */
export const presentName = ({ staffId, name }: { staffId: string; name: string }, colleagues: readonly Colleague[]) =>
  colleagues.find(({ id }) => id === staffId)?.displayName ?? name
