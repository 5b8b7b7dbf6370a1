import { type MouseEvent, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { RecordedChannel } from '../../../../events/lead/reply/answer.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { randomId } from '../../../client/random-id.ts'
import { serverNow } from '../../../client/server-time.ts'
import { createStore, listenerSet } from '../../../client/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { space } from '../../../ui/theme.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { useMe } from '../../account/account.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { noteAddress } from '../address.ts'
import { showAnswered } from '../change/ownership.ts'
import { currentLead } from '../lead.ts'
import { aboutLead, leadTitle, shownPhone } from '../list/groups.ts'
import { type Contact, noteContact } from './answer.ts'

/** A logged contact, with the lead's current state; without both, an undone one. */
type LoggedContact = { leadId: string; lead?: Lead; contact?: Contact }

const listeners = listenerSet<[LoggedContact]>()

/** Calls `onLogged` for each contact that is logged while a screen is open. */
export const useLoggedContacts = (onLogged: (logged: LoggedContact) => void) => {
  const onLoggedNow = useEffectEvent(onLogged)
  useEffect(() => listeners.add((logged) => onLoggedNow(logged)), [])
}

/** A call or message to the person of a lead; logged once by its `key`. */
type Opened = Omit<Contact, 'isReached'> & { lead: Lead }

const CHANNELS = {
  call: { opened: (lead: Lead) => `You called ${shownPhone(lead)}`, log: 'Log call', logged: 'Call logged' },
  whatsapp: {
    opened: (lead: Lead) => `WhatsApp opened for ${shownPhone(lead)}`,
    log: 'Log message',
    logged: 'WhatsApp message logged',
  },
  email: {
    opened: ({ email }: Lead) => `Your own program opened an email to ${email}`,
    log: 'Log email',
    logged: 'Email logged',
  },
} as const satisfies Record<RecordedChannel, unknown>

const inWords = ({ channel, isReached }: Contact, lead: Lead) => {
  if (!isReached) {
    const description = lead.answeredAt ? undefined : 'The lead still waits for its answer.'
    return { title: 'No answer logged', description }
  }
  const title = CHANNELS[channel].logged
  if (channel !== 'call') return { title }
  return { title, description: 'Add a note about what was said.', address: noteAddress(lead.id) }
}

/**
 * Logs a contact on the lead's current version, or on the lead into which it was merged, and shows so. Returns whether
 * it is logged; never throws.
 */
const log = async (
  { lead: known, ...opened }: Opened,
  isReached: boolean,
  myId: string | undefined,
  done = () => {},
) => {
  const contact = { ...opened, isReached }
  try {
    const before = await currentLead(known.id)
    const { lead, eventId } = await noteContact(before.id, contact)
    done()
    listeners.notify({ leadId: before.id, lead, contact })
    const onUndone = () => listeners.notify({ leadId: before.id })
    showAnswered({ before, answered: lead, eventId, myId }, { ...inWords(contact, lead), onUndone })
    return true
  } catch (error) {
    toastFailure('This was not logged', error)
    return false
  }
}

const opened = createStore<{ call: Opened | undefined }>({ call: undefined })

const openDialog = (call: Opened) => opened.set({ call })

const LogCallDialog = ({ call }: { call: Opened }) => {
  const { data: me } = useMe()
  const [isBusy, setBusy] = useState(false)
  const close = () => flushSync(() => opened.set({ call: undefined }))
  const choose = async (isReached: boolean) => {
    if (isBusy) return
    setBusy(true)
    if (!(await log(call, isReached, me?.id, close))) setBusy(false)
  }
  return (
    <Dialog title={`Log call: ${leadTitle(call.lead)}`} isHeld={isBusy} onClose={close}>
      <p>The clock stops only when they got your answer.</p>
      <DialogActions>
        <Button aria-disabled={isBusy} onClick={() => choose(true)}>
          We spoke
        </Button>
        <Button look="outline" aria-disabled={isBusy} onClick={() => choose(false)}>
          No answer
        </Button>
        <Button look="quiet" aria-disabled={isBusy} onClick={() => isBusy || close()}>
          Cancel
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The dialog in which a call is logged, over whichever screen is open; it closes with the frame of the screens. */
export const LogCalls = () => {
  const { call } = useSyncExternalStore(opened.subscribe, opened.get)
  useEffect(() => () => opened.set({ call: undefined }), [])
  return call && <LogCallDialog key={call.key} call={call} />
}

const openedNow = (lead: Lead, channel: RecordedChannel, text: string | null): Opened => ({
  lead,
  channel,
  text,
  key: randomId(),
  at: serverNow().toISOString(),
})

/** Logs a call to a number, for a lead that may get a reply. `title` names the lead among others. */
export const LogCall = ({ lead, title }: { lead: Lead; title?: string }) =>
  lead.suspicion ? null : (
    <Button
      look="quiet"
      {...(title && { 'aria-label': `Log call: ${title}`, css: { minHeight: '1.75rem', padding: `0 ${space.tight}` } })}
      onClick={() => openDialog(openedNow(lead, 'call', null))}
    >
      Log call
    </Button>
  )

/**
 * Offers to log that staff opened the telephone, WhatsApp or a mail program for a lead: the site cannot know the outcome,
 * so the toast stays. For a flagged lead nothing is logged before it is released.
 */
export const useOfferLog = () => {
  const { data: me } = useMe()
  return (lead: Lead, channel: RecordedChannel, text: string | null) => {
    if (lead.suspicion) return
    const contact = openedNow(lead, channel, text)
    const { opened, log: label } = CHANNELS[channel]
    const run = () => (channel === 'call' ? openDialog(contact) : void log(contact, true, me?.id))
    toast({ title: opened(lead), about: aboutLead(lead), stays: true, action: { label, run } })
  }
}

/** The handler of a link that opens the telephone, WhatsApp or a mail program; a double click counts once. */
export const usePressContact = () => {
  const offerLog = useOfferLog()
  return (...contact: Parameters<typeof offerLog>) =>
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.detail > 1) event.preventDefault()
      else offerLog(...contact)
    }
}
