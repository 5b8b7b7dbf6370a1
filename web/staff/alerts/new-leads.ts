import { sourceInWords } from '../../../events/lead/labels.ts'
import { lead as leadSchema, type WaitingLeads } from '../../../events/lead/wire.ts'
import { get } from '../../client/get.ts'
import { leadAddress } from '../leads/address.ts'
import { counted } from '../leads/shown/labels.ts'
import { alerts } from './alerts.ts'
import { takeUnseenOnce } from './shown-alerts.ts'

const SHOWN_KEY = 'staff-alerts-told'

type Newest = WaitingLeads['newest']

const inWords = async (id: string) => {
  // without a session an alert names no lead
  const lead = await get(['/api/leads', id], leadSchema, { on401: 'null' })
  return lead ? { name: lead.name, source: sourceInWords(lead.leadSource) } : undefined
}

/**
 * Notifies of leads that were not shown in this browser yet: of one by name, of several by number. `open` gets the
 * address of the screen that shows them.
 */
export const notifyOfNewLeads = async (newest: Newest, open: (address: string) => void) => {
  const [last, ...others] = await takeUnseenOnce(SHOWN_KEY, newest)
  if (!last) return
  // the name may be unreadable for now; the notification is shown without it
  const known = await inWords(last.id).catch(() => undefined)
  const isOne = others.length === 0
  alerts.tell('new', {
    title: isOne ? (known ? `New lead: ${known.name}` : 'New lead') : counted(others.length + 1, 'new lead'),
    body: known ? (isOne ? known.source : `The latest: ${known.name}, ${known.source}`) : '',
    tag: `lead-${last.id}`,
    onOpen: () => open(isOne ? leadAddress(last.id) : '/admin-today'),
  })
}
