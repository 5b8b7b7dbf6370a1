import * as v from 'valibot'
import { distinctAddresses } from '../../events/base/address.ts'
import type { Sent } from '../../events/base/word.ts'
import { chatActivityStreams } from '../../events/chat/activity.ts'
import { chatLink } from '../../events/chat/store/links.ts'
import { contractStreams } from '../../events/contract/signed-copy.ts'
import { emailResendRequested, type Recipient } from '../../events/email/email.ts'
import { readEmail } from '../../events/email/store/compose.ts'
import { inboxStatesOf } from '../../events/email/store/inbox-states.ts'
import { countAttention, countEmails, type EmailRow, findDelivery, listEmails } from '../../events/email/store/list.ts'
import { EMAIL_FILTERS, emailSummary, type listedEmail, listedEmails } from '../../events/email/wire.ts'
import { KeyStoreError } from '../../events/keys/errors.ts'
import { KeyError } from '../../events/keys/key-ring.ts'
import { leadAlertStreams } from '../../events/lead/email/alert.ts'
import { leadCopyStreams } from '../../events/lead/email/copy.ts'
import { leadIdOf } from '../../events/lead/lead.ts'
import { leadAnswerStreams } from '../../events/lead/reply/answer.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { RequestError } from '../http/errors.ts'
import { A_CURSOR, pageOf } from '../http/next-link.ts'
import { route } from '../http/route.ts'
import { wholeNumber } from '../http/whole-number.ts'
import type { ApiNode } from '../node/node.ts'
import { waysOf } from './ways.ts'

const PAGE_EMAILS = 25
const MAX_PAGE_EMAILS = 100
/** Shown in place of a link by which its readers could write as the visitor. */
const HIDDEN_LINK = '(the link is in the visitor’s own copy)'
/** The same for a link by which its readers could choose the password of an account; used in the outbox too. */
const HIDDEN_PASSWORD_LINK = '(only the account’s own email has the link)'

const emailQuery = v.object({
  state: v.optional(v.picklist(EMAIL_FILTERS, `Must be one of: ${EMAIL_FILTERS.join(', ')}`)),
  limit: v.optional(wholeNumber(1, MAX_PAGE_EMAILS), String(PAGE_EMAILS)),
  cursor: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, A_CURSOR)),
})

/** `attempts` is the number of attempts that the caller has seen: two requests with the same number send once. */
const resendForm = v.object({ attempts: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))) })

const aboutOf = (stream: string) => {
  const leadId =
    leadIdOf(stream) ??
    leadCopyStreams.idOf(stream) ??
    leadAlertStreams.idOf(stream) ??
    leadAnswerStreams.idOf(stream) ??
    contractStreams.idOf(stream)
  if (leadId) return { leadId }
  const sessionId = chatActivityStreams.idOf(stream)
  return sessionId ? { sessionId } : {}
}

/** Staff forward emails of the outbox by hand and need the link for that; elsewhere it is the visitor's alone. */
const emailSenderOf = ({ config, sql }: ApiNode, { isOutbox }: { isOutbox: boolean }) => ({
  agencyName: config.agency.name,
  agencyEmail: config.agency.email,
  publicUrl: config.publicUrl,
  resumeUrl: async (sessionId: string) => (isOutbox ? await chatLink(sql, config, sessionId) : HIDDEN_LINK),
  passwordUrl: async () => HIDDEN_PASSWORD_LINK,
})

/** The readable content of an email; `address` is that of its recipient. */
type Contents = Pick<
  Sent<typeof listedEmail>,
  'subject' | 'person' | 'fields' | 'isErased' | 'isUnreadable' | 'areKeysAway'
> & { address?: string | null }

/**
 * Reads an email's text. If its data key is lost, or the keys' database is away, the text is a note that it cannot be
 * read, and the list is returned all the same.
 */
const readContents = async (
  node: ApiNode,
  { eventId, isOutbox }: { eventId: string; isOutbox: boolean },
): Promise<Contents> => {
  const nothing = { person: null, fields: [] }
  try {
    const email = await readEmail(node.reading, eventId, emailSenderOf(node, { isOutbox }))
    if (!email) return { ...nothing, subject: 'Erased', isErased: true }
    const { subject, about, fields, to } = email
    return { subject, person: about ?? null, fields, isErased: false, address: to }
  } catch (error) {
    if (error instanceof KeyStoreError) {
      const subject = 'This email cannot be read at the moment'
      return { ...nothing, subject, isErased: false, isUnreadable: true, areKeysAway: true }
    }
    if (!(error instanceof KeyError)) throw error
    const subject = 'This email cannot be read: its key is lost'
    return { ...nothing, subject, isErased: false, isUnreadable: true }
  }
}

/**
 * Reads the text of each email in a list, one after another: together they would take the connections of other requests
 * that wait to read. A keys' database that is away may take seconds to fail: it is not asked again for each email.
 */
export const readEachContents = async <Email extends { eventId: string }>(
  node: ApiNode,
  emails: readonly Email[],
  isOutbox: (email: Email) => boolean,
): Promise<{ email: Email; contents: Contents }[]> => {
  const read: { email: Email; contents: Contents }[] = []
  let contents: Contents | undefined
  for (const email of emails) {
    if (!contents?.areKeysAway)
      contents = await readContents(node, { eventId: email.eventId, isOutbox: isOutbox(email) })
    read.push({ email, contents })
  }
  return read
}

/** The addresses of the agency's emails, by the current settings. */
const inboxesOf = ({ config, settings }: ApiNode) =>
  distinctAddresses([config.agency.email, ...settings.current.inboxAddresses])

/** The addresses of an email that all staff may see. */
const addressesOf = (node: ApiNode, recipient: Recipient, address: string | null) => {
  if (recipient === 'agency') return inboxesOf(node)
  return recipient === 'visitor' && address ? [address] : []
}

const asEmail = (node: ApiNode, row: EmailRow, { address = null, ...contents }: Contents): Sent<typeof listedEmail> => {
  const { eventId, recipient, state, attempts, tries, isUnderWay, isStuck, isContract, inboxStates } = row
  const inboxes = inboxStatesOf(eventId, inboxStates, inboxesOf(node))
  const to = addressesOf(node, recipient, address)
  return {
    id: eventId,
    ...contents,
    recipient,
    ...(to.length > 0 && { to }),
    about: aboutOf(row.stream),
    state,
    isStuck,
    isContract,
    ...(inboxes.length > 0 && { inboxes }),
    isUnderWay,
    attempts,
    tries,
    dueAt: row.dueAt.toISOString(),
    askedAt: row.askedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

const asEmails = async (node: ApiNode, rows: readonly EmailRow[]) => {
  const read = await readEachContents(node, rows, ({ state }) => state === 'outbox')
  return read.map(({ email, contents }) => asEmail(node, email, contents))
}

/** The first of the emails that need attention, contracts before others, the newest first. */
export const emailsToAttendTo = async (node: ApiNode, limit: number) => {
  const rows = await listEmails(node.reading, { filter: 'attention', contractsFirst: true, limit })
  return await asEmails(node, rows)
}

/**
 * Requests that an email be sent again; if a colleague has just requested the same, it is sent once. `by` is the staff
 * member, `seen` the number of attempts that they have seen.
 */
const requestResend = (node: ApiNode, eventId: string, { by, seen }: { by: string; seen?: number | undefined }) =>
  handle(node.log, {
    read: async () => {
      const delivery = await findDelivery(node.sql, eventId)
      if (!delivery) throw new RequestError('not_found', 'There is no email with this id, or it was erased')
      return { ...delivery, version: 'any' }
    },
    decide: ({ resendPosition, attemptsBefore }) => {
      // it was requested again already, and has not failed since then
      if (resendPosition > 0 && seen !== undefined && seen <= attemptsBefore) return undefined
      // one id until the dispatcher has reached it, then another: an attempt in progress keeps its number
      const id = deterministicUuid('resend', eventId, String(resendPosition))
      return { id, ...emailResendRequested({ emailId: eventId, by }) }
    },
    isOnce: true,
  })

/** The emails of the site and their state. Staff may send any of them again. */
export const emailRoutes = [
  route('GET', '/api/emails', {
    access: 'staff',
    summary: 'Lists emails',
    query: emailQuery,
    answer: listedEmails,
    isPaged: true,
    handler: async ({ node, c, query: { state, limit, cursor } }) => {
      const found = await listEmails(node.reading, { filter: state, before: cursor, limit: limit + 1 })
      const page = pageOf(c, node.config, { found, limit }, ({ position }) => String(position))
      return await asEmails(node, page)
    },
  }),
  route('GET', '/api/emails/summary', {
    access: 'staff',
    summary: 'Counts emails',
    answer: emailSummary,
    handler: async ({ node }) => {
      const { reading } = node
      const [counts, attention] = await Promise.all([countEmails(reading), countAttention(reading)])
      const { sendsEmail, reachesPeople } = waysOf(node)
      return {
        ...counts,
        attention,
        ...(sendsEmail !== undefined && { isSetUp: sendsEmail }),
        ...(reachesPeople !== undefined && { reachesPeople }),
      }
    },
  }),
  route('POST', '/api/emails/:id/resend', {
    access: 'staff',
    summary: 'Sends an email again',
    body: resendForm,
    isBodyOptional: true,
    status: 202,
    handler: async ({ node, c, params: { id }, body: { attempts } }) => {
      await requestResend(node, id, { by: c.get('staff').id, seen: attempts })
    },
  }),
]
