import { openSlots, type Waiting } from './slots.ts'

type Ending = { timeout?: number }
type Reserved = { release: () => void }

/** What this needs of a client of postgres.js that has one connection. */
type Single = {
  (...parameters: never[]): unknown
  unsafe: (...parameters: never[]) => PromiseLike<unknown>
  reserve: () => Promise<Reserved>
  end: (options?: Ending) => Promise<void>
}

type Send<T> = (single: T) => PromiseLike<unknown>

/**
 * A pool of `max` clients with one connection each, used as one client. postgres.js's own pool sends a statement and says
 * nothing of when it has left its queue; here a statement waits for a free connection first, so that its deadline begins
 * when it starts, waiting is bounded, and a late one loses its own connection and no other.
 *
 * `open` opens a client; `parts` makes fragments, lists and documents, and never connects.
 */
export const poolSingles = <T extends Single>(
  open: () => T,
  { max, waiting, parts }: { max: number; waiting: Waiting; parts: T },
): T => {
  const singles = Array.from({ length: max }, () => ({ client: open() }))
  const slots = openSlots(singles, waiting)

  /** Gives a query of `parts` the outcome of sending it on a connection. It is sent once, as soon as it is awaited. */
  const sendLater = (query: object, send: Send<T>) => {
    let sent: Promise<unknown> | undefined
    const outcome = () => {
      sent ??= slots.use(({ client }) => send(client))
      return sent
    }
    return Object.defineProperties(query, {
      // biome-ignore lint/suspicious/noThenProperty: what is awaited has to be thenable
      then: { value: (...handlers: Parameters<Promise<unknown>['then']>) => outcome().then(...handlers) },
      catch: { value: (...handlers: Parameters<Promise<unknown>['catch']>) => outcome().catch(...handlers) },
      finally: { value: (...handlers: Parameters<Promise<unknown>['finally']>) => outcome().finally(...handlers) },
    })
  }

  /** A connection of its own. `release` gives it back; `abandon` puts another one in its place. */
  const reserve = async () => {
    const slot = await slots.take()
    try {
      const reserved = await slot.client.reserve()
      let isHeld = true
      const giveBack = (work: () => void) => () => {
        if (!isHeld) return
        isHeld = false
        work()
        slots.give(slot)
      }
      const release = giveBack(() => reserved.release())
      const abandon = giveBack(() => {
        slot.client.end({ timeout: 0 }).catch(() => {})
        slot.client = open()
      })
      const instead: Partial<Record<PropertyKey, unknown>> = { release, abandon }
      return new Proxy(reserved, { get: (target, name) => instead[name] ?? Reflect.get(target, name) })
    } catch (error) {
      slots.give(slot)
      throw error
    }
  }

  const end = async (options?: Ending) => {
    slots.close()
    await Promise.all([...singles.map(({ client }) => client.end(options)), parts.end(options)])
  }

  const unsafe = (...parameters: never[]) =>
    sendLater(parts.unsafe(...parameters), (client) => client.unsafe(...parameters))

  const instead: Partial<Record<PropertyKey, unknown>> = { reserve, end, unsafe }
  return new Proxy(parts, {
    apply: (_, __, parameters: never[]) => {
      const part = parts(...parameters)
      const [strings] = parameters as unknown[]
      const isQuery = Array.isArray(strings) && 'raw' in strings
      return isQuery ? sendLater(part as object, (client) => client(...parameters) as PromiseLike<unknown>) : part
    },
    get: (target, name) => instead[name] ?? Reflect.get(target, name),
  })
}
