import type { Logger } from 'pino'
import { LogError } from '../../events/log/errors.ts'
import { KeyError } from '../../events/log/key-ring.ts'

/** What a sweep has come to. */
type Unreadable = { leadId: string } | { sessionId: string }

/** After so many a worker forgets of which it has said that it passes over them. */
const MAX_REMEMBERED = 1_000

/** Takes the error of what could not be read; throws it again where no lost data key is the reason. */
export type PassOver = (what: Unreadable, error: unknown) => void

/**
 * What a sweep does with a lead or a chat whose data key is lost: it says so once, by its id, and goes on with the others.
 * `onFirst` is called as often as it is said.
 */
export const openPassOver = ({
  logger,
  onFirst = () => {},
}: {
  logger: Pick<Logger, 'warn'>
  onFirst?: () => void
}): PassOver => {
  const told = new Set<string>()
  return (what, error) => {
    if (!(error instanceof KeyError)) throw error
    const id = Object.values(what).join()
    if (told.has(id)) return
    if (told.size >= MAX_REMEMBERED) told.clear()
    told.add(id)
    onFirst()
    logger.warn({ ...what, err: error.message }, 'this cannot be read and is passed over: its data key is lost')
  }
}

/** Whether the subject of an alert has changed, or been erased, since it was read: the next sweep looks at it again. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof LogError &&
  (error.code === 'guard_failed' || error.code === 'erased' || error.code === 'wrong_version')
