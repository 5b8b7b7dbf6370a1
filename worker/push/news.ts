import { awaitsFirstAnswer, chatPushMessage, type chatPushRequested } from '../../events/chat-alert.ts'
import type { RecordedEvent } from '../../events/definition.ts'
import { isUnanswered, type leadPushRequested, pushMessage } from '../../events/lead-alert.ts'
import type { Sql } from '../../events/log/connection.ts'
import { readChat } from '../../events/log/read-chat.ts'
import type { StaffAlert } from '../../events/log/staff-alerts.ts'
import { readLead } from '../../events/projections/emails.ts'

/** What asks for notifications to the devices of one member of staff. */
export type PushRequest = RecordedEvent<typeof leadPushRequested> | RecordedEvent<typeof chatPushRequested>

/** What a request tells of: which kind it is, the id of the lead or chat, and what devices are told. */
export type News = {
  alert: StaffAlert
  about: string
  message: object
  /** Whether a lead or a chat still waits: nobody is told any more of one that is answered or erased. */
  stillWaits: (sql: Sql) => Promise<boolean>
}

const ofLead = ({ data }: RecordedEvent<typeof leadPushRequested>): News => ({
  alert: data.alert,
  about: data.leadId,
  message: pushMessage(data),
  stillWaits: async (sql) => {
    const known = await readLead(sql, data.leadId)
    return known !== undefined && isUnanswered(known.lead)
  },
})

const ofChat = ({ data: { sessionId } }: RecordedEvent<typeof chatPushRequested>): News => ({
  alert: 'chat',
  about: sessionId,
  message: chatPushMessage(sessionId),
  stillWaits: async (sql) => {
    const { chat } = await readChat(sql, sessionId)
    return chat !== undefined && awaitsFirstAnswer(chat)
  },
})

/** What a request tells of. */
export const newsOf = (request: PushRequest): News =>
  request.type === 'LeadPushRequested' ? ofLead(request) : ofChat(request)
