import * as v from 'valibot'
import { sourceInWords } from '../../../events/lead-labels.ts'
import { lead as leadSchema, type WaitingLeads } from '../../../events/wire/lead.ts'
import { request } from '../../http.ts'
import { leadAddress } from '../leads/address.ts'
import { counted } from '../leads/labels.ts'
import { alerts } from './alerts.ts'

const TOLD_KEY = 'staff-alerts-told'

type Newest = WaitingLeads['newest']

/** The leads that came after an instant, newest first. ISO 8601 in UTC: their order is that of their letters. */
export const leadsSince = (newest: Newest, since: string): Newest => newest.filter(({ timestamp }) => timestamp > since)

/** Which of the newest leads this browser has told nobody of; from now on it has. At its first look it tells of none. */
const takeUntold = (newest: Newest): Newest => {
  const told = localStorage.getItem(TOLD_KEY)
  const latest = newest[0]?.timestamp ?? ''
  if (told === null || told < latest) localStorage.setItem(TOLD_KEY, latest)
  return told === null ? [] : leadsSince(newest, told)
}

/** One tab at a time looks what is to be told, so that of all tabs of a browser one tells it. */
const asTheOnlyTab = <Answer>(act: () => Answer): Promise<Answer> =>
  navigator.locks ? navigator.locks.request(TOLD_KEY, act) : Promise.resolve(act())

const inWords = async (id: string) => {
  const { name, leadSource } = v.parse(leadSchema, await (await request(`/api/leads/${id}`)).json())
  return { name, source: sourceInWords(leadSource) }
}

/**
 * Tells of leads that nobody was told of in this browser: of one by name, of several how many. `open` gets the address of
 * the screen that shows them.
 */
export const tellOfNewLeads = async (newest: Newest, open: (address: string) => void) => {
  const [last, ...others] = await asTheOnlyTab(() => takeUntold(newest))
  if (!last) return
  // who it is may not be readable just now; that there is somebody is told all the same
  const known = await inWords(last.id).catch(() => undefined)
  const isOne = others.length === 0
  alerts.tell({
    title: isOne ? (known ? `New lead: ${known.name}` : 'New lead') : counted(others.length + 1, 'new lead'),
    body: known ? (isOne ? known.source : `The latest: ${known.name}, ${known.source}`) : '',
    tag: `lead-${last.id}`,
    onOpen: () => open(isOne ? leadAddress(last.id) : '/admin-today'),
  })
}
