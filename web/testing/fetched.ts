import { SWRConfig } from 'swr'

/** Clears the data that screens have fetched, as reloading a page does; lists of several pages too. */
export const forgetFetched = (): void => {
  const { cache } = SWRConfig.defaultValue
  for (const key of [...cache.keys()]) cache.delete(key)
}
