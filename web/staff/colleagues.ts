import { mutate } from 'swr'
import { FORMER_COLLEAGUE } from '../../events/staff/staff.ts'
import { type Colleague, colleagues } from '../../events/staff/wire.ts'
import { useGet } from './use-get.ts'

/** Where the names are fetched. */
export const COLLEAGUES_KEY = '/api/staff'

/** Everybody who works for the agency, by name. */
export const useColleagues = () => useGet(COLLEAGUES_KEY, colleagues, { poll: 'seldom' })

/** What the owner of a lead is called; nothing where it is nobody's. */
export const useOwnerName = (ownerId: string | null) => {
  const { data: colleagues } = useColleagues()
  if (ownerId === null) return undefined
  return colleagues?.find(({ id }) => id === ownerId)?.displayName ?? FORMER_COLLEAGUE
}

/** Asks for the names and photos again. */
export const refreshColleagues = () => mutate(COLLEAGUES_KEY)

/** What somebody is called now: what was said with their name may be older than the name. */
export const presentName = ({ staffId, name }: { staffId: string; name: string }, colleagues: readonly Colleague[]) =>
  colleagues.find(({ id }) => id === staffId)?.displayName ?? name
