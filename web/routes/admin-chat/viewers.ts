import type { Viewer } from '../../../events/chat/server-frames.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import { presentName } from '../../staff/account/colleagues.ts'

/** At most this many are named; of more only the number is shown. */
const MAX_NAMED = 2

const namesOf = (people: readonly Viewer[]) => {
  const names = people.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = people.length - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return names.join(' and ')
}

const are = (people: readonly Viewer[]) => (people.length === 1 ? 'is' : 'are')

/** Describes what colleagues currently do with a chat; empty if no other staff member has it open. */
export const viewersInWords = (viewers: readonly Viewer[]) => {
  const writing = viewers.filter(({ isTyping }) => isTyping)
  const looking = viewers.filter(({ isTyping }) => !isTyping)
  return [
    writing.length > 0 && `${namesOf(writing)} ${are(writing)} writing an answer…`,
    looking.length > 0 && `${namesOf(looking)} ${are(looking)} looking at this chat`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The ids of the staff who currently have any chat open. */
export const atAnyChat = (chats: Readonly<Record<string, { viewers: readonly Viewer[] }>>) =>
  new Set(Object.values(chats).flatMap(({ viewers }) => viewers.map(({ staffId }) => staffId)))

/** The colleagues who have a chat open, without oneself, by their current names. */
export const othersOf = (
  viewers: readonly Viewer[] | undefined,
  { myId, colleagues = [] }: { myId: string | undefined; colleagues?: readonly Colleague[] | undefined },
) =>
  (viewers ?? [])
    .filter(({ staffId }) => staffId !== myId)
    .map((viewer) => ({ ...viewer, name: presentName(viewer, colleagues) }))
