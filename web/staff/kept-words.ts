import type { NotedChannel } from '../../events/lead-answer.ts'
import { isErased } from '../../events/wire/lead.ts'
import { keptRecords } from './drafts.ts'
import { counted } from './leads/labels.ts'
import { currentLead } from './leads/lead.ts'
import { leadTitle } from './leads/list.ts'
import { isOpenContact, openContacts } from './leads/open-contacts.ts'
import type { LeaveWords } from './unsaved.ts'

const RECORD_OF_LEAD = /^lead-([\da-f-]{36})-([\w-]+)$/

/** So many are named; of more only the number is told. */
const MAX_NAMED = 3
/** Who signs out does not wait longer for names. */
const NAMING_MS = 1_000

const typedInWords = (records: readonly string[]) => {
  const ofLeads = records.map((record) => RECORD_OF_LEAD.exec(record)?.[1])
  const leads = new Set(ofLeads.filter((id) => id !== undefined)).size
  const where = [leads > 0 && `about ${counted(leads, 'lead')}`, ofLeads.includes(undefined) && 'in the settings']
  return `What you typed ${where.filter(Boolean).join(' and ')} is not sent or saved yet. Only this device keeps it, and signing out removes it.`
}

/** Something that is not done, of a lead or of the settings, as it is told about a person. */
type Undone = { id: string; leadId?: string; words: (name: string) => string }

const TYPED: Record<string, (name: string) => string> = {
  email: (name) => `An email to ${name} that was not sent`,
  note: (name) => `A note about ${name} that was not saved`,
}

const OPENED: Record<NotedChannel, string> = { call: 'call', whatsapp: 'WhatsApp message', email: 'email' }

const undoneOf = (record: string): Undone => {
  const [, leadId, what = ''] = RECORD_OF_LEAD.exec(record) ?? []
  if (!leadId) return { id: record, words: () => 'What you changed in the settings' }
  return { id: record, leadId, words: TYPED[what] ?? ((name) => `What you changed about ${name}`) }
}

const emailsFirst = (one: string, other: string) => Number(other.endsWith('-email')) - Number(one.endsWith('-email'))

const typedBy = (accountId: string) => keptRecords(accountId).filter((record) => !isOpenContact(record))

const namelessWords = (accountId: string): LeaveWords | undefined => {
  const typed = typedBy(accountId)
  const open = openContacts(accountId).length
  if (typed.length === 0 && open === 0) return undefined
  const what = [
    typed.length > 0 && typedInWords(typed),
    open > 0 &&
      `You have not said what came of ${counted(open, 'call or message', 'calls or messages')}: after signing out nobody asks any more.`,
  ]
  return { title: 'Sign out without saving?', text: what.filter(Boolean).join(' '), leave: 'Sign out' }
}

/** Whom a lead is of, as the API tells now; undefined where it does not, and of who was erased. */
const nameNow = async (leadId: string) => {
  const lead = await currentLead(leadId).catch(() => undefined)
  return lead && !isErased(lead) ? leadTitle(lead) : undefined
}

/**
 * What to ask before an account signs out while this device keeps what it typed, or a call or message is open that it has
 * not noted; undefined where there is neither. It says whom it is about: this device keeps no names, the leads tell them.
 * Where they do not, or not at once, it only says how much there is.
 */
export const keptWords = async (accountId: string): Promise<LeaveWords | undefined> => {
  const words = namelessWords(accountId)
  if (!words) return undefined
  const undone: Undone[] = [
    ...typedBy(accountId).toSorted(emailsFirst).map(undoneOf),
    ...openContacts(accountId).map(({ leadId, key, channel }) => ({
      id: key,
      leadId,
      words: (name: string) => `What came of the ${OPENED[channel]} to ${name}`,
    })),
  ]
  const first = undone.slice(0, MAX_NAMED)
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, NAMING_MS))
  const names = await Promise.all(first.map(({ leadId }) => leadId && Promise.race([nameNow(leadId), tooLate])))
  if (!names.some(Boolean)) return words
  const told = first.flatMap(({ id, leadId, words: say }, index) => {
    const name = names[index]
    return name || !leadId ? [{ id, words: say(name ?? '') }] : []
  })
  const others = undone.length - told.length
  return {
    ...words,
    text: 'This is not finished. Only this device keeps it: after signing out it is gone, and nobody asks about it.',
    items: others > 0 ? [...told, { id: 'others', words: `and ${others} more` }] : told,
  }
}
