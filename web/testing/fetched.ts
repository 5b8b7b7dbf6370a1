import { SWRConfig } from 'swr'

/** Forgets what screens have fetched, as a page does that is loaded again; lists of several pages too. */
export const forgetFetched = (): void => {
  const { cache } = SWRConfig.defaultValue
  for (const key of [...cache.keys()]) cache.delete(key)
}
