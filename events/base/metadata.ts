/**
 * The actor: a visitor of the website, a staff member by account id, a program by token id, or a part of the system by
 * its name.
 */
export type Actor =
  | { type: 'visitor' }
  | { type: 'staff'; id: string }
  | { type: 'token'; id: string }
  | { type: 'system'; name: string }

/**
 * The work that an event belongs to. `correlationId` names the request, socket frame or job that started it; it is a
 * UUID that we made. `causationId` is the id of the event that caused the work, null if a person started it.
 */
export type Context = { actor: Actor; correlationId: string; causationId: string | null }

/** The origin of an event: the context it was appended in, and the version of the code that wrote it. */
export type Metadata = Context & { code: string }
