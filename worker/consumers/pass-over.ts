import type { Logger } from 'pino'
import { LogError } from '../../events/keys/errors.ts'
import { KeyError } from '../../events/keys/key-ring.ts'

/** The subject that a sweep cannot read. */
type Unreadable = { leadId: string } | { sessionId: string }

/** Maximum subjects that a worker remembers having logged. */
const MAX_REMEMBERED = 1_000

/** Takes the error of a subject that could not be read; throws it again unless a lost data key is the reason. */
export type PassOver = (subject: Unreadable, error: unknown) => void

/**
 * Lets a sweep continue past a lead or a chat whose data key is lost; logs each once, by its id. `onFirst` is called
 * each time one is logged.
 */
export const openPassOver = ({
  logger,
  onFirst = () => {},
}: {
  logger: Pick<Logger, 'warn'>
  onFirst?: () => void
}): PassOver => {
  const logged = new Set<string>()
  return (subject, error) => {
    if (!(error instanceof KeyError)) throw error
    const id = Object.values(subject).join()
    if (logged.has(id)) return
    if (logged.size >= MAX_REMEMBERED) logged.clear()
    logged.add(id)
    onFirst()
    logger.warn({ ...subject, err: error.message }, 'this cannot be read and is passed over: its data key is lost')
  }
}

/** Whether the subject of an alert has changed, or been erased, since it was read: the next sweep checks it again. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof LogError &&
  (error.code === 'guard_failed' || error.code === 'erased' || error.code === 'wrong_version')
