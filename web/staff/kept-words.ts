import { keptRecords } from './drafts.ts'
import { counted } from './leads/labels.ts'
import { isOpenContact, openContacts } from './leads/open-contacts.ts'
import type { LeaveWords } from './unsaved.ts'

const LEAD_OF_RECORD = /^lead-([\da-f-]{36})-/

const typedInWords = (records: readonly string[]) => {
  const ofLeads = records.map((record) => LEAD_OF_RECORD.exec(record)?.[1])
  const leads = new Set(ofLeads.filter((id) => id !== undefined)).size
  const where = [leads > 0 && `about ${counted(leads, 'lead')}`, ofLeads.includes(undefined) && 'in the settings']
  return `What you typed ${where.filter(Boolean).join(' and ')} is not sent or saved yet. Only this device keeps it, and signing out removes it.`
}

/**
 * What to ask before an account signs out while this device keeps what it typed, or a call or message is open that it has
 * not noted; undefined where there is neither.
 */
export const keptWords = (accountId: string): LeaveWords | undefined => {
  const typed = keptRecords(accountId).filter((record) => !isOpenContact(record))
  const open = openContacts(accountId).length
  if (typed.length === 0 && open === 0) return undefined
  const what = [
    typed.length > 0 && typedInWords(typed),
    open > 0 &&
      `You have not said what came of ${counted(open, 'call or message', 'calls or messages')}: after signing out nobody asks any more.`,
  ]
  return { title: 'Sign out without saving?', text: what.filter(Boolean).join(' '), leave: 'Sign out' }
}
