import { useEffect, useEffectEvent } from 'react'
import type { Correction } from '../../../events/lead/correction.ts'
import type { FollowUp } from '../../../events/lead/follow-up.ts'
import { type Erasable, erasable, leftToErase, person, type TimelineEntry } from '../../../events/lead/person-wire.ts'
import { type Lead, leadConflict, lead as leadSchema } from '../../../events/lead/wire.ts'
import { get, read } from '../../client/get.ts'
import { repeatedly, send } from '../../client/http.ts'
import { serverNow } from '../../client/server-time.ts'
import { submission } from '../../ui/form/submission.ts'
import { conflictIn } from '../refusal.ts'
import { FRESH, useGet } from '../use-get.ts'
import { followLeads } from './live/stream.ts'
import { throttle } from './live/throttle.ts'

const REFRESH_GAP_MS = 1_000
/** A reply that was not sent by then is held up. */
const WATCH_MS = 60_000

/** The status of the response while an erasure continues. Each request takes the server 2 s. */
const STILL_ERASING = 202
/** The maximum number of requests to the server while it has no time. */
const MAX_TRIES = 6
/** How long an erasure without progress is watched. */
const STALLED_AFTER_MS = 60_000

const addressOf = (id: string) => `/api/leads/${encodeURIComponent(id)}`

const isAboutToGo = ({ kind, data, timestamp }: TimelineEntry) =>
  kind === 'answer_email' && data.state === 'pending' && Date.parse(timestamp) > serverNow().getTime() - WATCH_MS

/** A lead without its person; nothing is fetched without an id. */
export const useLeadAlone = (id: string | undefined) =>
  useGet(id === undefined ? undefined : addressOf(id), leadSchema, { ...FRESH, poll: 'lists' })

/** Reads a lead. */
export const readLead = (id: string): Promise<Lead> => get(addressOf(id), leadSchema)

/** A lead's current state, or that of the lead into which it was merged. */
export const currentLead = async (id: string): Promise<Lead> => {
  const lead = await readLead(id)
  return lead.mergedInto ? currentLead(lead.mergedInto) : lead
}

/** The person behind a lead. */
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
  const refreshNow = useEffectEvent(refresh)
  const isAbout = useEffectEvent(
    (other: Lead) => other.id === id || known.data?.leads.some((one) => one.id === other.id),
  )
  const isFlagged = useEffectEvent(() => lead.data?.suspicion !== undefined)
  useEffect(() => {
    const refreshing = throttle(() => refreshNow(), REFRESH_GAP_MS)
    const leave = followLeads({
      onOpen: refreshing.ask,
      onLeads: (fresh) => {
        if (fresh.some((other) => isAbout(other))) refreshing.ask()
      },
      onQuarantine: () => isFlagged() && refreshing.ask(),
    })
    return () => {
      leave()
      refreshing.stop()
    }
  }, [])
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

/**
 * Undoes a change, a note, a contact or a merge, by its event. Throws an HttpError of 409 if it was changed since then.
 */
export const undoChange = (id: string, eventId: string) => send('POST', `${addressOf(id)}/undo`, { eventId })

/** The data that erasing the person behind a lead would remove, read from the server each time. Owners only. */
export const useErasable = (id: string) => useGet([addressOf(id), 'erase'], erasable, FRESH)

/** The data to erase now, if it is more than an erasure has named. */
export const erasableOf = (error: unknown) => conflictIn(error, erasable)

/**
 * Erases the person behind a lead: all personal data in the leads that were shown, or in the chosen ones of them, and
 * in their chats. Once `onLeft` has been called, with the number left, the rest is erased even if this page is closed.
 * Resolves when all are erased. Throws if the server refuses, and if there is no progress for a minute. Owners only.
 */
export const erasePerson = async (
  id: string,
  {
    asOf,
    leads: named,
    chosenIds,
    contracts,
  }: Pick<Erasable, 'asOf' | 'leads'> & { chosenIds: string[]; contracts?: 'keep' | 'erase' | undefined },
  onLeft: (left: number) => void,
) => {
  // the whole list may be more than a request can name
  const choice = {
    ...(chosenIds.length === named.length ? { asOf } : { asOf, chosenIds }),
    ...(contracts && { contracts }),
  }
  let before = Number.POSITIVE_INFINITY
  let lastDropAt = performance.now()
  for (;;) {
    const response = await repeatedly(() => send('POST', `${addressOf(id)}/erase`, choice), { tries: MAX_TRIES })
    if (response.status !== STILL_ERASING) return
    const { left } = await read(leftToErase)(response)
    if (left < before) lastDropAt = performance.now()
    else if (performance.now() - lastDropAt > STALLED_AFTER_MS)
      throw new Error(`Nothing more is erased for now: ${left} are left`)
    before = left
    onLeft(left)
  }
}

/** The lead's current state and the changes of others, if they are why a change failed. */
export const conflictOf = (error: unknown) => conflictIn(error, leadConflict)
