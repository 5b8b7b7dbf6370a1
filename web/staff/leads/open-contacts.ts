import { type MouseEvent, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { type NotedChannel, notedChannel } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { randomId } from '../../random-id.ts'
import { serverNow } from '../../server-time.ts'
import { listenerSet } from '../../ui/store.ts'
import { useMe } from '../account.ts'
import { keptRecords, onDraftsChange, staffDraft } from '../drafts.ts'
import type { Contact } from './answer.ts'
import { rememberLead } from './lead.ts'

const RECORD = /^lead-([\da-f-]{36})-([\w-]+)-contact$/

/** Each is kept by itself: a message may follow a call that nobody took. */
const keptContact = v.object({
  channel: notedChannel,
  text: v.nullable(v.string()),
  /** When it was opened. */
  at: v.pipe(v.string(), v.isoTimestamp()),
})

/**
 * A call, or a message in another program, that staff have opened for a lead, and not said what came of it. It is noted by
 * `key`. Who the person is stands nowhere in it: the lead tells, until it is erased.
 */
export type OpenContact = v.InferOutput<typeof keptContact> & { leadId: string; key: string }

const draftOf = (accountId: string, { leadId, key }: Pick<OpenContact, 'leadId' | 'key'>) =>
  staffDraft(accountId, `lead-${leadId}-${key}-contact`, keptContact)

/** Whether what a device keeps is an open contact, by the name of its record. */
export const isOpenContact = (record: string) => RECORD.test(record)

/** What a browser refuses to keep: it is open as long as the page. */
let unkept: readonly (OpenContact & { accountId: string })[] = []

/** What an account has opened on this device and not noted, oldest first. */
export const openContacts = (accountId: string): OpenContact[] => {
  const kept = keptRecords(accountId).flatMap((record) => {
    const [, leadId = '', key = ''] = RECORD.exec(record) ?? []
    const contact = key && draftOf(accountId, { leadId, key }).read()
    return contact ? [{ ...contact, leadId, key }] : []
  })
  const others = unkept.filter(
    (other) => other.accountId === accountId && !kept.some((contact) => contact.key === other.key),
  )
  return [...kept, ...others].sort((one, other) => one.at.localeCompare(other.at))
}

const none = () => '[]'

/**
 * The open contacts of an account, oldest first. They outlive a change of the screen, a reload, and a telephone that ends
 * the browser during a call.
 */
export const useOpenContacts = (accountId: string): OpenContact[] => {
  const found = useSyncExternalStore(onDraftsChange, () => JSON.stringify(openContacts(accountId)), none)
  return useMemo(() => JSON.parse(found), [found])
}

/** The link that was pressed last, and where it stood in the window, until the question has taken the focus from it. */
let pressed: { key: string; link: HTMLElement; top: number } | undefined

/** The link by which a contact was opened just now; once. */
export const takePressed = (key: string) => {
  if (pressed?.key !== key) return undefined
  const { link, top } = pressed
  pressed = undefined
  return { link, top }
}

const openContact = (accountId: string, contact: OpenContact) => {
  const { channel, text, at, key } = contact
  const draft = draftOf(accountId, contact)
  unkept = [...unkept, { ...contact, accountId }]
  draft.keep({ channel, text, at })
  if (draft.isKept()) unkept = unkept.filter((other) => other.key !== key)
}

/** Asks again what came of a contact: what was said has been taken back. */
export const reopenContact = (accountId: string, contact: OpenContact) =>
  openContact(accountId, { ...contact, key: randomId() })

/** Asks no more what came of a contact. */
export const closeContact = (accountId: string, contact: Pick<OpenContact, 'leadId' | 'key'>) => {
  unkept = unkept.filter(({ key }) => key !== contact.key)
  draftOf(accountId, contact).discard()
}

/** What goes to a link that opens the telephone, WhatsApp or a mail program for a lead; a double click counts once. */
export type PressContact = (
  lead: Lead,
  channel: NotedChannel,
  text: string | null,
) => (event: MouseEvent<HTMLAnchorElement>) => void

/**
 * The site cannot know what comes of what such a link opens: from then on every screen asks (`ContactQuestion`). Of a
 * flagged lead nothing is noted before it is released.
 */
export const usePressContact = (): PressContact => {
  const { data: me } = useMe()
  return (lead, channel, text) => (event) => {
    if (event.detail > 1) event.preventDefault()
    else if (me && !lead.suspicion) {
      // whom it is about is known at once, also without a network
      rememberLead(lead)
      const [key, link] = [randomId(), event.currentTarget]
      pressed = { key, link, top: link.getBoundingClientRect().top }
      openContact(me.id, { leadId: lead.id, key, channel, text, at: serverNow().toISOString() })
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
