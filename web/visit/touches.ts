import type { SentTouches, Touch } from '../../events/lead/form/touch.ts'
import { stored } from '../client/stored.ts'
import { FIRST_TOUCH_KEY, LAST_TOUCH_KEY } from './storage-keys.ts'

/** The beginning of a visit as the page's first script records it: query, path and referrer. */
export type Arrival = { search: string; path: string; referrer: string }

const hostOf = (address: string) => {
  try {
    return new URL(address).host
  } catch {
    return null
  }
}

/** The campaign, the referring host and the landing page of an arrival; the rest of its address is not stored. */
export const touchOf = ({ search, path, referrer }: Arrival): Touch => {
  const words = new URLSearchParams(search)
  return {
    source: words.get('utm_source'),
    medium: words.get('utm_medium'),
    campaign: words.get('utm_campaign'),
    term: words.get('utm_term'),
    content: words.get('utm_content'),
    referrer: hostOf(referrer),
    landingPage: path,
  }
}

const touchIn = (key: string) => stored(key, 'device', (arrival) => touchOf(arrival as Arrival)).read() ?? null

/** The visitor's first and last touch stored on this device. */
export const knownTouches = (): SentTouches => ({
  firstTouch: touchIn(FIRST_TOUCH_KEY),
  lastTouch: touchIn(LAST_TOUCH_KEY),
})
