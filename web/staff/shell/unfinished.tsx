import type { ReactNode } from 'react'
import { isErased } from '../../../events/lead/wire.ts'
import { unsentInChats } from '../../chat/console/stored-console.ts'
import { useChatRecord } from '../chat/chat-record.ts'
import { draftRecords } from '../drafts/drafts.tsx'
import type { LeaveWords } from '../drafts/unsaved.ts'
import { useLeadAlone } from '../leads/lead.ts'
import { leadTitle } from '../leads/list/groups.ts'
import { NEW_LEAD } from '../leads/shown/lead-drafts.tsx'

const RECORD_OF_LEAD = /^lead-([\da-f-]{36})-([\w-]+)$/

/** Further ones are only counted. */
const MAX_LISTED = 3

type Undone = { id: string; line: ReactNode }

/** The line for an unfinished item, with the person's name once that is known. */
type Words = (name: string | undefined) => string

/** This device stores no names: the name comes with the lead, until it is erased. */
const LeadLine = ({ leadId, words }: { leadId: string; words: Words }) => {
  const { data: lead } = useLeadAlone(leadId)
  return words(lead && !isErased(lead) ? leadTitle(lead) : undefined)
}

/** The name comes with the chat, until it is erased; some visitors give none. */
const ChatLine = ({ sessionId, words }: { sessionId: string; words: Words }) => {
  const { data: chat } = useChatRecord(sessionId)
  return words((chat && !chat.isErased && chat.session.visitorName) || undefined)
}

const TYPED: Record<string, Words> = {
  email: (name) => `An email${name ? ` to ${name}` : ''} that was not sent`,
  note: (name) => `A note${name ? ` about ${name}` : ''} that was not saved`,
}

const undoneOf = (record: string): Undone => {
  if (record === NEW_LEAD) return { id: record, line: 'A new lead that was not added' }
  const [, leadId, kind = ''] = RECORD_OF_LEAD.exec(record) ?? []
  if (!leadId) return { id: record, line: 'Your changes to the settings' }
  const words = TYPED[kind] ?? ((name) => `What you changed about ${name ?? 'a lead'}`)
  return { id: record, line: <LeadLine leadId={leadId} words={words} /> }
}

const replyWords: Words = (name) => `A chat reply${name ? ` to ${name}` : ''} that was not sent`
const handoverWords: Words = (name) => `A hand-over note${name ? ` about ${name}` : ''} that was not sent`

const undoneInChats = (accountId: string): Undone[] => {
  const { replies, handoverNotes } = unsentInChats(accountId)
  const inWords = (text: string, words: Words) => (sessionId: string) => ({
    id: `chat-${sessionId}-${text}`,
    line: <ChatLine sessionId={sessionId} words={words} />,
  })
  return [...replies.map(inWords('reply', replyWords)), ...handoverNotes.map(inWords('handover', handoverWords))]
}

const emailsFirst = (one: string, other: string) => Number(other.endsWith('-email')) - Number(one.endsWith('-email'))

/** Chats come first: a visitor is waiting there. */
const undoneBy = (accountId: string): Undone[] => [
  ...undoneInChats(accountId),
  ...draftRecords(accountId).sort(emailsFirst).map(undoneOf),
]

/**
 * The question before an account signs out if this device stores unsent text of it, in chats or elsewhere; undefined if
 * it does not.
 */
export const unfinishedWords = (accountId: string): LeaveWords | undefined => {
  const undone = undoneBy(accountId)
  if (undone.length === 0) return undefined
  const listed = undone.length === MAX_LISTED + 1 ? undone : undone.slice(0, MAX_LISTED)
  const others = undone.length - listed.length
  return {
    title: 'Sign out without saving?',
    text: 'You have unfinished work. Only this device has it. If you sign out, it is deleted.',
    items: others > 0 ? [...listed, { id: 'others', line: `and ${others} more` }] : listed,
    leave: 'Sign out',
  }
}
