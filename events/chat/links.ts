import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'

/** Staff revoked the links to a chat: links sent before no longer work. */
export const chatLinksRevoked = defineEvent({
  type: 'ChatLinksRevoked',
  schemaVersion: 1,
  data: v.object({ by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/** One stream per session. Its version is the generation of the links to the chat: how often they were revoked. */
export const chatLinksStreams = defineStreams<RecordedEvent<typeof chatLinksRevoked>>('links-of-chat-')
