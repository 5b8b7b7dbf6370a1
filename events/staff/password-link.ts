import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { Email, EmailEvent } from '../email/email.ts'

/** How long a link to choose a new password works. In milliseconds. */
export const PASSWORD_LINK_MS = 60 * 60 * 1000

/** A link to choose a new password goes to the email address of an account whose owner has forgotten the old one. */
export const passwordLinkRequested = defineEvent({
  type: 'PasswordLinkRequested',
  schemaVersion: 1,
  data: v.object({ accountId: v.pipe(v.string(), v.uuid()) }),
  personal: v.object({ to: v.string() }),
})

/** One stream per request, of the request and the outcome of its email. */
export const passwordLinkStreams = defineStreams<RecordedEvent<typeof passwordLinkRequested> | EmailEvent>(
  'password-link-',
)

/** When the link of a request expires: counted from the request, so that a late email does not prolong it. */
export const passwordLinkEnds = (requestedAt: Date) => new Date(requestedAt.getTime() + PASSWORD_LINK_MS)

/** The email with the link. `url` is the address of the link. */
export const passwordLinkEmail = ({ to, url, agencyName }: { to: string; url: string; agencyName: string }): Email => {
  const text = [
    `A new password was requested for your staff account at ${agencyName}.`,
    `Choose it here:\n${url}`,
    'The link works once, for an hour. Keep it to yourself: anyone who has it can choose your password.',
    'If you did not ask for it, ignore this email. Your password does not change.',
  ].join('\n\n')
  return {
    subject: 'Choose a new password',
    fields: [['message', text]],
    to,
    replyTo: null,
    about: null,
    isSecret: true,
  }
}
