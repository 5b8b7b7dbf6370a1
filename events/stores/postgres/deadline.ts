/** How long to wait for an answer, in milliseconds, and what to do when there is none. */
type Deadline = { deadlineMs: number; onLate?: () => void }

/** No answer came in time; its `code` is DEADLINE. Whether the statement was carried out is unknown. */
class DeadlineError extends Error {
  override name = 'DeadlineError'
  readonly code = 'DEADLINE'
}

/** Whether no answer came in time (`withDeadline`). */
export const isLate = (error: unknown): boolean => error instanceof DeadlineError

/** The promise's own outcome, or a DeadlineError once it is late. */
export const withDeadline = <T>(work: PromiseLike<T>, { deadlineMs, onLate }: Deadline): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let lastLook: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // a process that had no time for so long may have the answer unread: what has arrived is read before this is called
    lastLook = setImmediate(() => {
      onLate?.()
      reject(new DeadlineError(`no answer within ${deadlineMs} ms`))
    })
  }, deadlineMs)
  work.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    clearImmediate(lastLook)
  })
}
