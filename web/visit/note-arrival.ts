import { FIRST_TOUCH_KEY, LAST_TOUCH_KEY } from './storage-keys.ts'

const MAX_SEARCH_CHARACTERS = 1_000

/**
 * Keeps on the device how this visit began. Going on within the site, and coming back by a bookmark, tell nothing new of
 * the last touch. Part of the page's first script: hence as small as it can be.
 */
export const noteArrival = () => {
  const { search, pathname: path, host } = location
  const { referrer } = document
  try {
    const arrival = JSON.stringify({ search: search.slice(0, MAX_SEARCH_CHARACTERS), path, referrer })
    const isNew = /[?&]utm_/.test(search) || (referrer && new URL(referrer).host !== host)
    if (!localStorage[FIRST_TOUCH_KEY]) localStorage[FIRST_TOUCH_KEY] = localStorage[LAST_TOUCH_KEY] = arrival
    else if (isNew) localStorage[LAST_TOUCH_KEY] = arrival
  } catch {
    // a device that keeps nothing
  }
}
