import { useEffect } from 'react'
import useSWR, { type KeyedMutator } from 'swr'
import * as v from 'valibot'
import { FOLLOW_UP_STATUSES } from '../../events/follow-up.ts'
import type { Lead } from '../../events/lead.ts'
import { SUSPICIONS } from '../../events/suspicion.ts'
import { touch } from '../../events/touch.ts'
import { request } from '../http.ts'

const KEY = '/api/leads'
const STREAM = '/api/leads/stream'
const REFRESH_INTERVAL_MS = 30_000
const STREAM_RETRY_MS = 5_000

const text = v.nullable(v.string())

const lead = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  company: text,
  businessName: text,
  industry: text,
  package: text,
  message: text,
  timeline: text,
  leadSource: v.string(),
  pageUrl: text,
  agreedToTerms: v.nullable(v.boolean()),
  firstTouch: v.nullable(touch),
  lastTouch: v.nullable(touch),
  suspicion: v.exactOptional(v.array(v.picklist(SUSPICIONS))),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  followUpStatus: v.picklist(FOLLOW_UP_STATUSES),
  conversionDate: text,
  projectValue: v.nullable(v.number()),
  ownerId: text,
  nextActionDate: text,
  answeredAt: text,
  forwardStatus: v.nullable(
    v.picklist(['pending', 'retrying', 'delivered', 'outbox', 'needs_activation', 'blocked', 'rejected']),
  ),
  version: v.number(),
})

/** A list of leads as the API answers it. */
export const leads = v.array(lead)

/** The list with a lead that is new in it, or changed. */
export const withLead = (known: Lead[], fresh: Lead): Lead[] =>
  known.some(({ id }) => id === fresh.id)
    ? known.map((other) => (other.id === fresh.id ? fresh : other))
    : [fresh, ...known]

/**
 * Follows the server-sent events into swr's cache. Whatever happened while there was no stream comes with the fetch that
 * every opening starts; a browser gives up for good when the answer is an error, so that a new try is ours to make.
 */
const followLeads = (mutate: KeyedMutator<Lead[]>) => {
  let stream: EventSource
  let timer: ReturnType<typeof setTimeout>
  const open = () => {
    stream = new EventSource(STREAM)
    stream.onopen = () => mutate()
    stream.addEventListener('lead', ({ data }) => {
      const fresh = v.parse(lead, JSON.parse(data))
      mutate((known) => known && withLead(known, fresh), { revalidate: false })
    })
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, STREAM_RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}

/** All leads, newest first: live, and fetched again every 30 s in case the stream missed something. */
export const useLeads = () => {
  const fetched = useSWR<Lead[]>(KEY, async () => v.parse(leads, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
  const { mutate } = fetched
  useEffect(() => followLeads(mutate), [mutate])
  return fetched
}
