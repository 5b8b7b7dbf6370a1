import type { RecordedEvent } from '../../events/base/definition.ts'
import { awaitsFirstAnswer, chatPushMessage, type chatPushRequested } from '../../events/chat/alert.ts'
import { unansweredChatsFor } from '../../events/chat/store/list.ts'
import { readChat } from '../../events/chat/store/read-chat.ts'
import { isUnanswered, type leadPushRequested, pushMessage } from '../../events/lead/email/alert.ts'
import { readOwnLead } from '../../events/lead/store/own-lead.ts'
import type { Alert } from '../../events/staff/staff.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** An event that requests notifications to the devices of one staff member. */
export type PushRequest = RecordedEvent<typeof leadPushRequested> | RecordedEvent<typeof chatPushRequested>

/** The content of a request. Of two with one `topic` the later replaces the earlier, in transit and on the device. */
export type PushContent = {
  alert: Extract<Alert, `${string}-device`>
  topic: string
  /** The current message for devices; undefined if nothing waits: answered or erased subjects are not notified. */
  read: (sql: Sql) => Promise<object | undefined>
}

const ofLead = ({ data }: RecordedEvent<typeof leadPushRequested>): PushContent => ({
  alert: `${data.alert}-device`,
  topic: `${data.alert} ${data.leadId}`,
  read: async (sql) => {
    const known = await readOwnLead(sql, data.leadId)
    return known && isUnanswered(known.lead) ? pushMessage(data) : undefined
  },
})

/** More chats than that are not counted. */
const MAX_CHATS = 1_000

/** A burst of chats is one notification: how many wait for a first reply by this person. */
const ofChats = ({ data: { sessionId, accountId } }: RecordedEvent<typeof chatPushRequested>): PushContent => ({
  alert: 'chat-device',
  topic: 'chats',
  read: async (sql) => {
    // its own chat may have been answered a moment ago, which a view may not have yet
    const [{ chat }, unanswered] = await Promise.all([
      readChat(sql, sessionId),
      unansweredChatsFor(sql, accountId, MAX_CHATS),
    ])
    const own = chat && awaitsFirstAnswer(chat) ? [sessionId] : []
    const others = unanswered.flatMap((other) => (other.sessionId === sessionId ? [] : [other.sessionId]))
    const [first, ...more] = [...own, ...others]
    return first === undefined ? undefined : chatPushMessage([first, ...more])
  },
})

export const contentOf = (request: PushRequest): PushContent =>
  request.type === 'LeadPushRequested' ? ofLead(request) : ofChats(request)

/** Without those that a later one takes the place of: the same news for the same person. */
export const withoutReplaced = (requests: readonly PushRequest[]): PushRequest[] => {
  const last = new Map(requests.map((request) => [`${request.data.accountId} ${contentOf(request).topic}`, request]))
  return [...last.values()].toSorted((a, b) => a.position - b.position)
}
