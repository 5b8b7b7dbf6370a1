import type { Correction } from '../../../events/lead/correction.ts'
import type { FollowUp } from '../../../events/lead/follow-up/follow-up.ts'
import { person, type TimelineEntry } from '../../../events/lead/person/person-wire.ts'
import { type Lead, leadConflict, lead as leadSchema } from '../../../events/lead/wire.ts'
import { get, read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { serverNow } from '../../client/server-time.ts'
import { submission } from '../../ui/form/submission.ts'
import { conflictIn } from '../requests/refusal.ts'
import { FRESH, useGet } from '../requests/use-get.ts'
import { useLeadRefresh } from './live/refresh.ts'

/** A reply that was not sent by then is held up. */
const WATCH_MS = 60_000

export const addressOf = (id: string) => `/api/leads/${encodeURIComponent(id)}`

const isAboutToGo = ({ kind, data, timestamp }: TimelineEntry) =>
  kind === 'answer_email' && data.state === 'pending' && Date.parse(timestamp) > serverNow().getTime() - WATCH_MS

/** A lead without its person; nothing is fetched without an id. */
export const useLeadAlone = (id: string | undefined) =>
  useGet(id === undefined ? undefined : addressOf(id), leadSchema, { ...FRESH, poll: 'lists' })

export const fetchLead = (id: string): Promise<Lead> => get(addressOf(id), leadSchema)

/** A lead's current state, or that of the lead into which it was merged. */
export const currentLead = async (id: string): Promise<Lead> => {
  const lead = await fetchLead(id)
  return lead.mergedInto ? currentLead(lead.mergedInto) : lead
}

export const usePerson = (id: string) =>
  useGet([addressOf(id), 'person'], person, {
    ...FRESH,
    poll: (known) => (known?.timeline.some(isAboutToGo) ? 'sending' : 'lists'),
  })

/**
 * A lead and the person behind it, live: fetched again when one of that person's leads changes, at most once a second.
 * `onSaved` shows the lead after one's own change.
 */
export const useLead = (id: string) => {
  const lead = useLeadAlone(id)
  const known = usePerson(id)
  const refresh = () => {
    lead.mutate()
    known.mutate()
  }
  const onSaved = (saved?: Lead) => {
    // a mutate to undefined would hide the lead until it is fetched again
    if (saved) lead.mutate(saved, { revalidate: false })
    else lead.mutate()
    known.mutate()
  }
  const isAbout = (other: Lead) => other.id === id || known.data?.leads.some((one) => one.id === other.id) === true
  useLeadRefresh(refresh, {
    onLeads: (fresh) => fresh.some(isAbout),
    onQuarantine: () => lead.data?.suspicion !== undefined,
  })
  return { lead, person: known, refresh, onSaved }
}

/** Reads the lead from a response to a change of it, and the id of the appended event; null if there is none. */
export const readChange = async (response: Response) => ({
  lead: await read(leadSchema)(response),
  eventId: response.headers.get('event-id'),
})

const change = (address: string, body: FollowUp | Correction, version: number) =>
  send('PATCH', address, body, { 'if-match': `"${version}"` }).then(readChange)

/**
 * Changes a lead at the given version. `eventId` is the appended event; null if another staff member had made the same
 * change already. Throws an HttpError of 409 if the same field was changed since then.
 */
export const changeLead = (id: string, followUp: FollowUp, version: number) => change(addressOf(id), followUp, version)

/** Corrects a lead's name and contact details, as `changeLead` changes it. */
export const correctLead = (id: string, correction: Correction, version: number) =>
  change(`${addressOf(id)}/contact`, correction, version)

/** Moves a lead that is spam into quarantine. `eventId` is the appended event; null if it was there already. */
export const flagLead = async (id: string) => {
  const response = await send('POST', `${addressOf(id)}/flag`, {})
  return { eventId: response.headers.get('event-id') }
}

/** Adds notes to a lead; the idempotency key stores a note once, even if it is sent again after a failure. */
export const noteAdder = (id: string, keyFor: (body: string) => string) => {
  const submit = submission(`${addressOf(id)}/notes`, keyFor)
  return (note: string) => submit({ note }, {})
}

/** Undoes a change, a note, a contact or a merge by its event. Throws an HttpError of 409 if it has changed. */
export const undoChange = (id: string, eventId: string) => send('POST', `${addressOf(id)}/undo`, { eventId })

/** The lead's current state and the changes of others, if they are why a change failed. */
export const conflictOf = (error: unknown) => conflictIn(error, leadConflict)
