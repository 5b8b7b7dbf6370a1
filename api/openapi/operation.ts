import type * as v from 'valibot'

/** What of a body or an answer is no JSON: its media type alone is told. */
type Plain = { mediaType: string }

/**
 * What the document says of a route beside what api/access.ts says: in a sentence what it does, and the schemas by
 * which the route itself reads and answers. `status` is that of its success, 200 where it is left out, 204 where there
 * is no answer.
 */
export type Operation = {
  summary: string
  query?: v.ObjectSchema<v.ObjectEntries, undefined>
  body?: v.GenericSchema | Plain
  answer?: v.GenericSchema | Plain
  status?: number
  /** Whether somebody else may have been faster: 409. */
  mayConflict?: boolean
  /** Headers that count, with what each is for. */
  headers?: Readonly<Record<string, string>>
  /** Whether the answer goes on, as its Link header says. */
  isPaged?: boolean
}

/** Operations by method and path, as api/access.ts names them. */
export type Operations = Readonly<Record<string, Operation>>
