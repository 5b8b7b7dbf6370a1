import { chatActivityStreams } from '../../events/chat/activity.ts'
import { chatAssignmentStreams } from '../../events/chat/assignment.ts'
import { readDeliveryStates } from '../../events/email/store/deliveries.ts'
import { KeyError } from '../../events/keys/key-ring.ts'
import { leadCopyStreams } from '../../events/lead/email/copy.ts'
import { holdsErasure } from '../../events/lead/lead.ts'
import { linksFrom } from '../../events/lead/person/person.ts'
import { person } from '../../events/lead/person/person-wire.ts'
import { leadAnswerStreams } from '../../events/lead/reply/answer.ts'
import { leadContactStreams } from '../../events/lead/reply/contact.ts'
import { type KnownLead, readFamily } from '../../events/lead/store/family.ts'
import { findChats, findPerson, type PersonChat } from '../../events/lead/store/people.ts'
import { readStreams } from '../../events/log/read.ts'
import {
  answerEntries,
  CHAT_MAIL_EVENTS,
  chatEntries,
  chatMailEntries,
  copyEntries,
  handoverEntries,
  leadEntries,
  mergeEntries,
  type TimelineChat,
  type TimelineEntry,
  withChatLeads,
  withoutChat,
  withWholeAnswers,
} from '../../events/timeline.ts'
import { readOutlines } from '../chat/log/outlines.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { staffNames } from '../staff/staff.ts'
import { readLead } from './known-lead.ts'

/**
 * The leads that these chats became, their handovers, and the emails to their visitors, from the log; the state of
 * emails that the log does not have yet comes from the deliveries.
 */
const readActivities = async ({ reading }: ApiNode, chats: PersonChat[]) => {
  const ids = chats.map(({ session }) => session.sessionId)
  const [events, handovers] = await Promise.all([
    readStreams(reading, ids.map(chatActivityStreams.of), { types: ['ChatBecameLead', ...CHAT_MAIL_EVENTS] }),
    readStreams(reading, ids.map(chatAssignmentStreams.of)),
  ])
  const made = events.filter((event) => event.type === 'ChatBecameLead')
  const mails = events.filter((event) => event.type !== 'ChatBecameLead')
  const emails = mails.map(({ id }) => id)
  return { made, mails, handovers, states: await readDeliveryStates(reading, emails) }
}

/** The maximum number of open chats whose waiting time is shown: those that began last. */
const MAX_WAITING_CHATS = 10

/** The chats; open ones with the time since when their visitor has been waiting. */
const withWaiting = async ({ reading }: ApiNode, chats: PersonChat[]): Promise<TimelineChat[]> => {
  const open = chats.filter(({ session, isErased }) => session.endTime === null && !isErased).slice(-MAX_WAITING_CHATS)
  if (open.length === 0) return chats
  const outlines = await readOutlines(
    reading,
    open.map(({ session }) => session.sessionId),
  )
  return chats.map((chat) => {
    const waitingSince = outlines.get(chat.session.sessionId)?.waitingSince
    return waitingSince ? { ...chat, waitingSince } : chat
  })
}

/**
 * The replies of staff to these leads, the calls that did not reach their person, and the delivery state of emails for
 * which the log has none yet.
 */
const readAnswers = async ({ reading }: ApiNode, leadIds: string[]) => {
  const [events, contacts] = await Promise.all([
    readStreams(reading, leadIds.map(leadAnswerStreams.of)),
    readStreams(reading, leadIds.map(leadContactStreams.of)),
  ])
  const emails = events.flatMap(({ id, type }) => (type === 'LeadEmailWritten' ? [id] : []))
  return { events, contacts, states: await readDeliveryStates(reading, emails) }
}

const isOfChat = ({ kind }: TimelineEntry) => kind === 'chat' || kind === 'chat_ended'

const ownContact = ({ own: { id, email, phone }, lead }: KnownLead) => ({
  id,
  email,
  phone,
  mergedInto: lead.mergedInto ?? null,
})

/** A timeline in which the remains of erased leads name no chat, and have nothing to undo. */
const withoutErased = (timeline: TimelineEntry[], leads: KnownLead[]): TimelineEntry[] => {
  const erased = new Set(leads.flatMap(({ own, events }) => (holdsErasure(events) ? [own.id] : [])))
  return timeline.map((entry) =>
    entry.leadId !== null && erased.has(entry.leadId) && !isOfChat(entry)
      ? { ...entry, sessionId: null, data: withoutChat(entry.data), isUndoable: false }
      : entry,
  )
}

/** The events of some leads, of the replies to them, and of the copies to their senders. */
const readLeads = async (node: ApiNode, leadIds: string[]) => {
  const [known, answers, copies] = await Promise.all([
    readFamily(node.reading, leadIds),
    readAnswers(node, leadIds),
    readStreams(node.reading, leadIds.map(leadCopyStreams.of)),
  ])
  return { leads: [...known.values()], answers, copies }
}

/**
 * Reads some of a person's records together. One whose data key is lost cannot be read: it is left out, and does not
 * hide the others.
 */
const readReadable = async <One, Read>(all: One[], read: (some: One[]) => Promise<Read>): Promise<Read> => {
  const isReadable = async (one: One) => {
    try {
      await read([one])
      return true
    } catch (error) {
      if (error instanceof KeyError) return false
      throw error
    }
  }
  try {
    return await read(all)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const areReadable = await Promise.all(all.map(isReadable))
    return await read(all.filter((_, index) => areReadable[index]))
  }
}

/** The leads of a lead's person, and their whole history in one timeline, oldest first. */
export const readPerson = route('GET', '/api/leads/:id/person', {
  access: 'staff',
  summary: 'The person of a lead: leads, chats, emails and notes',
  answer: person,
  handler: async ({ node, params: { id: leadId } }) => {
    const { lead } = await readLead(node, leadId)
    const found = await findPerson(node.reading, lead)
    const chats = await findChats(node.reading, found)
    const [{ leads, answers, copies }, { made, mails, handovers, states }, waitingChats, staff] = await Promise.all([
      readReadable(found.leadIds, (leadIds) => readLeads(node, leadIds)),
      readReadable(chats, (some) => readActivities(node, some)),
      withWaiting(node, chats),
      staffNames(node.sql),
    ])
    const entries = [
      ...withChatLeads(
        leads.flatMap(({ lead: { mergedInto }, events, merge }) =>
          // nothing changes in a lead that was merged into another; a questionnaire of a contract is merged by its event
          leadEntries(events, staff).map((entry) =>
            mergedInto ? { ...entry, isUndoable: entry.id === merge?.id } : entry,
          ),
        ),
        made,
        staff,
      ),
      ...leads.flatMap(({ lead: gone, merges }) =>
        mergeEntries(merges, { isGone: gone.mergedInto !== undefined, staff }),
      ),
      ...waitingChats.flatMap(chatEntries),
      ...handoverEntries(handovers, staff),
      ...chatMailEntries(mails, { staff, states }),
      ...answerEntries(answers.events, { ...answers, staff }),
      ...copyEntries(copies, staff),
    ]
    return {
      leads: leads.map((each) => each.lead).sort((a, b) => a.timestamp.localeCompare(b.timestamp)),
      timeline: withoutErased(withWholeAnswers(entries), leads).sort((a, b) => a.timestamp.localeCompare(b.timestamp)),
      links: [...linksFrom(lead.id, leads.map(ownContact))].map(([id, links]) => ({ id, links })),
    }
  },
})
