/** How long after their last message a visitor waits who has left, and gave neither an address nor a number. */
export const WAITS_UNREACHABLE_MS = 30 * 60 * 1000

/**
 * Whether a visitor whose last message has no reply still waits for one. One who has left and cannot be reached does so
 * for half an hour after that message; if they come back, or write, they wait again. `lastWritten` is ISO 8601.
 * `GET /api/chats/waiting` and the list of today count by the same rule (store/list.ts).
 */
export const stillWaits = (
  { hasLeft, isReachable, lastWritten }: { hasLeft: boolean; isReachable: boolean; lastWritten: string },
  now: Date,
): boolean => !hasLeft || isReachable || now.getTime() - Date.parse(lastWritten) < WAITS_UNREACHABLE_MS
