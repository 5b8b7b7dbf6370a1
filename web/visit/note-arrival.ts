import { FIRST_TOUCH_KEY, LAST_TOUCH_KEY } from './storage-keys.ts'

const MAX_SEARCH_CHARACTERS = 1_000

/**
 * Stores how this visit began. Navigation within the site and a return by a bookmark do not change the last touch. Part
 * of the page's first script, hence as small as possible.
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
    // the device refuses storage
  }
}
