/**
 * Each request and each socket frame gets an id. Responses carry it as X-Request-Id, log lines as `requestId`, and
 * events in their `metadata`, with the actor, the event that was the cause, and the version of the code. Workers
 * continue under the id of the event that caused their work. So one search finds a lead from its request to its last
 * email attempt. Log lines hold ids only, never text that people typed.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Actor, Context } from '../base/metadata.ts'

/** An event that work follows from. Only its id and its correlation id are read. */
export type CausingEvent = { id: string; metadata: { correlationId: string } }

/** Additional fields of every log line of a piece of work. Ids only: nothing that a person typed. */
export type LogFields = { socketId?: string }

const storage = new AsyncLocalStorage<{ context: Context; fields: LogFields }>()

/** The context of a new request: a visitor's, until `actAs` names another actor. */
export const requestContext = (actor: Actor = { type: 'visitor' }): Context => ({
  actor,
  correlationId: randomUUID(),
  causationId: null,
})

/** The context of work that a part of the system begins by itself. */
export const systemContext = (name: string): Context => requestContext({ type: 'system', name })

const following = (context: Context, { id, metadata }: CausingEvent): Context => ({
  ...context,
  correlationId: metadata.correlationId,
  causationId: id,
})

/** The context of work of a part of the system that an event caused: it belongs to the request that the event is from. */
export const contextCausedBy = (event: CausingEvent, name: string): Context => following(systemContext(name), event)

/** Does the work, and all that it starts, in a context. Contexts of work at the same time do not mix. */
export const runWith = <T>(context: Context, work: () => T, fields: LogFields = {}): T =>
  storage.run({ context: { ...context }, fields }, work)

/** Returns `work`, to be called from other work, such as that which settles a batch, in the current context. */
export const inThisContext = <Args extends unknown[]>(work: (...args: Args) => void): ((...args: Args) => void) => {
  const store = storage.getStore()
  return store ? (...args) => storage.run(store, work, ...args) : work
}

/** The current context. Work outside of any context is the system's own, under a correlation id of this call alone. */
export const currentContext = (): Context => {
  const store = storage.getStore()
  return store ? { ...store.context } : systemContext('unattributed')
}

/** Sets the actor of the current context, once it is known. */
export const actAs = (actor: Actor): void => {
  const store = storage.getStore()
  if (store) store.context = { ...store.context, actor }
}

/** Names the event that caused the work under way. From here on it belongs to the request that the event is from. */
export const followFrom = (event: CausingEvent): void => {
  const store = storage.getStore()
  if (store) store.context = following(store.context, event)
}

/**
 * The fields of log lines in the current context: `requestId`, which is the correlation id, and the additional fields.
 */
export const logFields = (): Record<string, string> => {
  const store = storage.getStore()
  return store ? { requestId: store.context.correlationId, ...store.fields } : {}
}
