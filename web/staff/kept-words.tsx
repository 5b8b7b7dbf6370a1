import type { NotedChannel } from '../../events/lead-answer.ts'
import { isErased } from '../../events/wire/lead.ts'
import { keptRecords } from './drafts.ts'
import { useLeadAlone } from './leads/lead.ts'
import { leadTitle } from './leads/list.ts'
import { isOpenContact, openContacts } from './leads/open-contacts.ts'
import type { LeaveWords } from './unsaved.ts'

const RECORD_OF_LEAD = /^lead-([\da-f-]{36})-([\w-]+)$/

/** So many are listed one by one; of more only the number is told. */
const MAX_LISTED = 3

/** Something that is not done: of a lead with its person's name once that is known, or of the settings. */
type Undone = { id: string; leadId?: string; words: (name: string | undefined) => string }

const TYPED: Record<string, Undone['words']> = {
  email: (name) => `An email${name ? ` to ${name}` : ''} that was not sent`,
  note: (name) => `A note${name ? ` about ${name}` : ''} that was not saved`,
}

const OPENED: Record<NotedChannel, string> = { call: 'call', whatsapp: 'WhatsApp message', email: 'email' }

const undoneOf = (record: string): Undone => {
  const [, leadId, what = ''] = RECORD_OF_LEAD.exec(record) ?? []
  if (!leadId) return { id: record, words: () => 'What you changed in the settings' }
  return { id: record, leadId, words: TYPED[what] ?? ((name) => `What you changed about ${name ?? 'a lead'}`) }
}

const emailsFirst = (one: string, other: string) => Number(other.endsWith('-email')) - Number(one.endsWith('-email'))

const undoneBy = (accountId: string): Undone[] => [
  ...keptRecords(accountId)
    .filter((record) => !isOpenContact(record))
    .sort(emailsFirst)
    .map(undoneOf),
  ...openContacts(accountId).map(({ leadId, key, channel }) => ({
    id: key,
    leadId,
    words: (name: string | undefined) => `What came of the ${OPENED[channel]}${name ? ` to ${name}` : ''}`,
  })),
]

/** This device keeps no names: the lead tells it, until it is erased. */
const UndoneLine = ({ undone: { leadId, words } }: { undone: Undone }) => {
  const { data: lead } = useLeadAlone(leadId)
  return words(lead && !isErased(lead) ? leadTitle(lead) : undefined)
}

/**
 * What to ask before an account signs out while this device keeps what it typed, or a call or message is open that it has
 * not noted; undefined where there is neither.
 */
export const keptWords = (accountId: string): LeaveWords | undefined => {
  const undone = undoneBy(accountId)
  if (undone.length === 0) return undefined
  const listed = undone.slice(0, MAX_LISTED).map((each) => ({ id: each.id, line: <UndoneLine undone={each} /> }))
  const others = undone.length - listed.length
  return {
    title: 'Sign out without saving?',
    text: 'You have unfinished work. Only this device has it. If you sign out, it is deleted.',
    items: others > 0 ? [...listed, { id: 'others', line: `and ${others} more` }] : listed,
    leave: 'Sign out',
  }
}
