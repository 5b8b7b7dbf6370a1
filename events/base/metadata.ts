/**
 * Who acts: a visitor of the website, a staff member by the id of the account, a program by the id of its token, or a
 * part of the system by its name.
 */
export type Actor =
  | { type: 'visitor' }
  | { type: 'staff'; id: string }
  | { type: 'token'; id: string }
  | { type: 'system'; name: string }

/**
 * What a piece of work is part of. `correlationId` names the request, socket frame or job that began it all; it is a UUID
 * that we made. `causationId` is the id of the event that the work follows from, null where a person began it.
 */
export type Context = { actor: Actor; correlationId: string; causationId: string | null }

/** Where an event comes from: the context it was appended in, and the version of the code that wrote it. */
export type Metadata = Context & { code: string }
