import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { requiredEmail } from '../base/text.ts'

/** How many addresses a chat takes after it has begun: enough to correct typing errors. */
export const MAX_GIVEN_EMAILS = 5

/** The form by which a visitor gives an address. */
export const givenEmail = v.object({ visitorEmail: requiredEmail('Please enter a valid email address') })

/** The visitor gave an email address while the chat was open. Replies go to the latest one. */
export const chatEmailGiven = defineEvent({
  type: 'ChatEmailGiven',
  schemaVersion: 1,
  data: v.object({}),
  personal: v.object({ visitorEmail: v.string() }),
})

/** One stream per session. */
export const chatEmailStreams = defineStreams<RecordedEvent<typeof chatEmailGiven>>('email-of-chat-')
