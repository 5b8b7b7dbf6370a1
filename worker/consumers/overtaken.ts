import { LogError } from '../../events/log/errors.ts'

/** What a sweep wanted to tell of has changed, or been erased, since it was read: the next sweep looks at it again. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof LogError &&
  (error.code === 'guard_failed' || error.code === 'erased' || error.code === 'wrong_version')
