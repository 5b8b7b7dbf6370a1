import { type MouseEvent, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { type NotedChannel, notedChannel } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { randomId } from '../../random-id.ts'
import { listenerSet } from '../../ui/store.ts'
import { useMe } from '../account.ts'
import { keptRecords, onDraftsChange, staffDraft } from '../drafts.ts'
import type { Contact } from './answer.ts'

const KIND = 'contact'

const openContact = v.object({
  key: v.string(),
  channel: notedChannel,
  text: v.nullable(v.string()),
  /** When it was opened. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  lead: v.object({
    name: v.string(),
    email: v.string(),
    phone: v.string(),
    ownerId: v.nullable(v.string()),
  }),
})

/** A call, or a message in another program, that staff have opened for a lead, and not said what came of it. */
export type OpenContact = v.InferOutput<typeof openContact> & { leadId: string }

const recordOf = (leadId: string) => `lead-${leadId}-${KIND}`
const LEAD_OF_RECORD = new RegExp(`^${recordOf('(.+)')}$`)

/** The lead of an open contact, by the name of its draft; undefined for other drafts. */
export const leadOfContact = (record: string): string | undefined => LEAD_OF_RECORD.exec(record)?.[1]

const draftOf = (accountId: string, leadId: string) => staffDraft(accountId, recordOf(leadId), openContact)

/** What a browser refuses to keep, by lead: it is open as long as the page. */
const unkept = new Map<string, OpenContact>()

const openContacts = (accountId: string): OpenContact[] => {
  const kept = keptRecords(accountId).flatMap((record) => {
    const leadId = leadOfContact(record)
    const contact = leadId && draftOf(accountId, leadId).read()
    return contact ? [{ ...contact, leadId }] : []
  })
  const others = [...unkept.values()].filter(({ key }) => !kept.some((contact) => contact.key === key))
  return [...kept, ...others].sort((one, other) => one.at.localeCompare(other.at))
}

const none = () => '[]'

/**
 * What an account has opened on this device and not noted, oldest first. It outlives a change of the screen, a reload, and
 * a telephone that ends the browser during a call.
 */
export const useOpenContacts = (accountId: string): OpenContact[] => {
  const found = useSyncExternalStore(onDraftsChange, () => JSON.stringify(openContacts(accountId)), none)
  return useMemo(() => JSON.parse(found), [found])
}

/** The contact that this page has opened last, until the focus has gone to its question. */
let opened: string | undefined

/** Whether this page has just opened a contact; true once for each. */
export const takeOpened = (key: string): boolean => {
  const isOpened = opened === key
  if (isOpened) opened = undefined
  return isOpened
}

const open = (accountId: string, contact: OpenContact) => {
  const { leadId, ...kept } = contact
  const draft = draftOf(accountId, leadId)
  opened = contact.key
  unkept.set(leadId, contact)
  draft.keep(kept)
  if (draft.isKept()) unkept.delete(leadId)
}

/** Asks no more what came of the contact of a lead. */
export const closeContact = (accountId: string, leadId: string) => {
  unkept.delete(leadId)
  draftOf(accountId, leadId).discard()
}

/** What goes to a link that opens the telephone, WhatsApp or a mail program for a lead; a double click counts once. */
export type PressContact = (
  lead: Lead,
  channel: NotedChannel,
  text: string | null,
) => (event: MouseEvent<HTMLAnchorElement>) => void

/** The site cannot know what comes of what such a link opens: from then on every screen asks (`ContactQuestion`). */
export const usePressContact = (): PressContact => {
  const { data: me } = useMe()
  return ({ id: leadId, name, email, phone, ownerId }, channel, text) =>
    (event) => {
      if (event.detail > 1) event.preventDefault()
      else if (me) {
        const lead = { name, email, phone, ownerId }
        open(me.id, { leadId, lead, key: randomId(), channel, text, at: new Date().toISOString() })
      }
    }
}

/** A contact that was noted, with the lead as it is now; without both, one that was taken back. */
export type NotedContact = { leadId: string; lead?: Lead; contact?: Contact }

const listeners = listenerSet<[NotedContact]>()

export const tellNoted = listeners.tell

/** Hears what was noted while a screen is open, on whichever screen the contact was opened. */
export const useNotedContacts = (hear: (noted: NotedContact) => void) => {
  const hearNow = useEffectEvent(hear)
  useEffect(() => listeners.add((noted) => hearNow(noted)), [])
}
