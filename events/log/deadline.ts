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

/**
 * Gives a query of postgres.js a deadline, which begins when it is awaited: only then is it sent, and what becomes a
 * fragment of another query never is.
 */
const guardQuery = (query: PromiseLike<unknown>, deadline: Deadline) => {
  const send: PromiseLike<unknown>['then'] = query.then.bind(query)
  const guarded: PromiseLike<unknown>['then'] = (onAnswer, onError) =>
    // biome-ignore lint/suspicious/noThenProperty: what is awaited has to be thenable
    withDeadline({ then: send }, deadline).then(onAnswer, onError)
  return Object.defineProperty(query, 'then', { value: guarded })
}

/**
 * A pool of postgres.js, or a connection reserved from it, whose queries have a deadline. `current` is asked again for
 * each query; `instead` are members to put in the place of its own.
 */
export const guardQueries = <T extends object>(
  current: () => { sql: T; deadline: Deadline },
  instead: Partial<Record<PropertyKey, unknown>> = {},
): T =>
  new Proxy(current().sql, {
    apply: (_, self, parameters) => {
      const { sql, deadline } = current()
      const result: unknown = Reflect.apply(sql as () => unknown, self, parameters)
      const isQuery = Array.isArray(parameters[0]) && 'raw' in parameters[0]
      return isQuery ? guardQuery(result as PromiseLike<unknown>, deadline) : result
    },
    get: (_, name) => {
      if (name in instead) return instead[name]
      const { sql, deadline } = current()
      const value: unknown = Reflect.get(sql, name)
      if (name !== 'unsafe') return value
      return (...parameters: unknown[]) =>
        guardQuery(Reflect.apply(value as () => PromiseLike<unknown>, sql, parameters), deadline)
    },
  })
