import type { AnyRecordedEvent } from '../catalogue.ts'
import { contractStreams } from '../contract/signed-copy.ts'
import { leadStreams } from '../lead/lead.ts'
import { periodInWords, type Retention } from '../settings/retention.ts'
import type { HeldGroup } from './wire.ts'

export const HELD_TITLES: Record<HeldGroup, string> = {
  leads: 'Leads',
  contracts: 'Contracts',
  chats: 'Chats',
  files: 'Files',
  emails: 'Emails and messages sent',
  notes: 'Notes by staff',
  imports: 'Imports',
  consents: 'Consents',
  requests: 'Privacy requests and exports',
  sign_ins: 'Account and sign-ins',
}

/** The reason to store the data of a group, and for how long. */
export const reasonToStore = (group: HeldGroup, periods: Retention): string => {
  const ofLeads = `${periodInWords(periods, 'leadMonths')} after the last contact`
  const ofContracts = `${periodInWords(periods, 'contractYears')} after the contract has ended`
  const reasons: Record<HeldGroup, string> = {
    leads: `To reply to a request and to do the work. Until ${ofLeads}; flagged ones for ${periodInWords(periods, 'spamDays')}.`,
    contracts: `To carry out the contract and to prove it. Until ${ofContracts}, because tax law asks for it.`,
    chats: `To reply. Until ${periodInWords(periods, 'chatMonths')} after the last message.`,
    files: `They belong to a chat or a contract, and go with it.`,
    emails: `To show what was sent. They go with their lead or chat.`,
    notes: `For colleagues to know what was agreed. They go with their lead.`,
    imports: `A list of the agency's own clients was brought in. Until ${ofLeads}.`,
    consents: `To prove that the person agreed. Until ${ofContracts}.`,
    requests: `To prove that a request was carried out. Until ${periodInWords(periods, 'requestMonths')} after it was done.`,
    sign_ins: 'To keep the accounts of staff safe. As long as the account exists.',
  }
  return reasons[group]
}

/** One entry: what it is, where it came from, and what it says. `leadId` and `sessionId` name the screen to open. */
export type HeldEntry = {
  id: string
  group: HeldGroup
  timestamp: string
  title: string
  source: string
  lines: { label: string; text: string }[]
  leadId: string | null
  sessionId: string | null
}

type Type = AnyRecordedEvent['type']

/** The titles that do not follow from the name of a type. */
const TITLES: Partial<Record<Type, string>> = {
  LeadSubmitted: 'Sent a form',
  WebsiteInfoSubmitted: 'Answered the questionnaire',
  LeadEntered: 'Entered by staff',
  LeadFollowUpChanged: 'Follow-up changed',
  LeadNoteAdded: 'Note by staff',
  LeadNoteRemoved: 'Note removed',
  LeadCorrected: 'Details corrected',
  LeadFlagged: 'Flagged as spam',
  LeadReleased: 'Released from quarantine',
  LeadsMerged: 'Merged into another lead',
  LeadsUnmerged: 'No longer merged',
  LeadEmailWritten: 'Email by staff',
  LeadContacted: 'Call or message by staff',
  LeadCallUnanswered: 'Call without a reply',
  LeadCopyRequested: 'Copy of the form sent by email',
  EmailSent: 'Email sent',
  EmailFailed: 'Email not sent',
  EmailResendRequested: 'Email sent again',
  ContractCopyMade: 'Signed copy made',
  ContractContentReceived: 'Content of the website arrived',
  ChatStarted: 'Began a chat',
  ChatMessagePosted: 'Chat message',
  ChatEmailGiven: 'Gave an email address in a chat',
  ChatRated: 'Rated a chat',
  ChatTranscriptRequested: 'Transcript of a chat sent by email',
  PrivacyCaseOpened: 'Request about the data',
  PrivacyCaseDone: 'Request carried out',
  PrivacyExportRequested: 'Export of all data asked for',
  PrivacyExportDownloaded: 'Export downloaded',
  ChatAnswersUnread: 'Unread replies sent by email',
}

/** A name of the code in words: pageUrl is page url. */
const asWords = (name: string) =>
  name
    .replace(/[_-]/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const LABELS: Record<string, string> = {
  pageUrl: 'Page',
  userAgent: 'Browser',
  clientAddress: 'Internet address',
  visitorName: 'Name',
  visitorEmail: 'Email',
  visitorPhone: 'Phone',
  senderName: 'From',
  agreedToTerms: 'Agreed to the terms',
  leadSource: 'Form',
  to: 'Sent to',
  url: 'Address',
}

const labelOf = (path: readonly string[]) => sentence(path.map((name) => LABELS[name] ?? asWords(name)).join(', '))

/** Members that say nothing to a person: the keys of code, and bytes. */
const SILENT = new Set(['pdf', 'clientMessageId', 'isContract', 'schemaVersion'])

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const linesOf = (value: unknown, path: readonly string[] = []): HeldEntry['lines'] => {
  if (value === null || value === undefined || value === '' || value === false) return []
  if (Array.isArray(value)) return value.flatMap((one) => linesOf(one, path))
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([name, one]) => (SILENT.has(name) ? [] : linesOf(one, [...path, name])))
  }
  const text = value === true ? 'Yes' : String(value)
  return UUID.test(text) ? [] : [{ label: labelOf(path), text }]
}

const EMAILS = /^(Email|LeadEmailWritten|LeadContacted|LeadCopyRequested|ChatTranscript|ChatAnswersUnread)/

/** The group of an event. */
export const groupOf = ({ type, data, stream }: { type: string; data: unknown; stream: string }): HeldGroup => {
  if (type === 'LeadSubmitted') return (data as { isContract: boolean }).isContract ? 'contracts' : 'leads'
  if (type === 'LeadEntered') return (data as { importId?: string }).importId ? 'imports' : 'leads'
  if (type === 'LeadNoteAdded' || type === 'LeadNoteRemoved') return 'notes'
  if (EMAILS.test(type)) return 'emails'
  if (type.startsWith('Privacy')) return 'requests'
  if (type.startsWith('Staff')) return 'sign_ins'
  if (contractStreams.idOf(stream) !== undefined || type.startsWith('Contract')) return 'contracts'
  return type.startsWith('Chat') ? 'chats' : 'leads'
}

const SOURCES = {
  visitor: 'The person, on the website',
  staff: 'Staff',
  token: 'A program of the agency',
  system: 'This website',
}

const sourceOf = ({ type, data, metadata }: AnyRecordedEvent): string => {
  if (type === 'LeadEntered' && 'importId' in data && data.importId) return 'A file that staff imported'
  return SOURCES[metadata.actor.type]
}

/** The kind of a form repeats what the form itself says. */
const withoutKind = (data: object) =>
  'isContract' in data
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !/^(source|package)$/.test(name)))
    : data

/** An event in words. */
export const inWords = (event: AnyRecordedEvent, sessionId: string | null = null): HeldEntry => ({
  id: event.id,
  group: groupOf(event),
  timestamp: event.recordedAt.toISOString(),
  title: TITLES[event.type] ?? sentence(asWords(event.type)),
  source: sourceOf(event),
  lines: [...linesOf(event.personal), ...linesOf(withoutKind(event.data))],
  leadId: leadStreams.idOf(event.stream) ?? contractStreams.idOf(event.stream) ?? null,
  sessionId,
})

/** The consent that a form holds, as an entry of its own; undefined if it holds none. */
export const consentIn = (event: AnyRecordedEvent): HeldEntry | undefined => {
  if (event.type !== 'LeadSubmitted' || !event.personal?.agreedToTerms) return undefined
  const { terms } = event.data
  return {
    ...inWords(event),
    group: 'consents',
    title: 'Agreed to the terms of a contract',
    lines: terms
      ? [
          { label: 'Wording', text: terms.agreement },
          { label: 'Version', text: String(terms.version) },
        ]
      : [],
  }
}
