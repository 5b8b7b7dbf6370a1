import { keptRecords } from './drafts.ts'
import { counted } from './leads/labels.ts'
import type { LeaveWords } from './unsaved.ts'

const LEAD_OF_RECORD = /^lead-([\da-f-]{36})-/

/** What to ask before an account signs out while this device keeps what it typed; undefined where it keeps nothing. */
export const keptWords = (accountId: string): LeaveWords | undefined => {
  const records = keptRecords(accountId)
  if (records.length === 0) return undefined
  const ofLeads = records.map((record) => LEAD_OF_RECORD.exec(record)?.[1])
  const leads = new Set(ofLeads.filter((id) => id !== undefined)).size
  const where = [leads > 0 && `about ${counted(leads, 'lead')}`, ofLeads.includes(undefined) && 'in the settings']
  return {
    title: 'Sign out without saving?',
    text: `What you typed ${where.filter(Boolean).join(' and ')} is not sent or saved yet. Only this device keeps it, and signing out removes it.`,
    leave: 'Sign out',
  }
}
