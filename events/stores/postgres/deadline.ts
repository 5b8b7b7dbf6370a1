/** How long to wait for a response, in milliseconds, and what to do without one. */
type Deadline = { deadlineMs: number; onTimeout?: () => void }

/** No response came in time; `code` is DEADLINE. Whether the statement was carried out is unknown. */
class DeadlineError extends Error {
  override name = 'DeadlineError'
  readonly code = 'DEADLINE'
}

/** Whether an error says that no response came in time (`withDeadline`). */
export const isTimeout = (error: unknown): boolean => error instanceof DeadlineError

/** Returns the promise's own outcome, or rejects with a DeadlineError once it is late. */
export const withDeadline = <T>(work: PromiseLike<T>, { deadlineMs, onTimeout }: Deadline): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let lastLook: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // a process that had no time for so long may have an unread response: received data is read before this is called
    lastLook = setImmediate(() => {
      onTimeout?.()
      reject(new DeadlineError(`no answer within ${deadlineMs} ms`))
    })
  }, deadlineMs)
  work.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    clearImmediate(lastLook)
  })
}
