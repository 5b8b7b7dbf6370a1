import * as v from 'valibot'

/** A word that this version does not know: a newer node has answered with it. */
export type NewWord = string & { readonly isNew: true }

/** The values that this version sends, by the schema of its contract: known values only. */
export type Sent<Schema extends v.GenericSchema> = v.InferInput<Schema>

/** The values that a page may receive, also from a newer node: any value may be a new one. */
export type Received<Schema extends v.GenericSchema> = v.InferOutput<Schema>

/**
 * One of some values, in a response. The sender uses known values only. The reader accepts any value, so that a list
 * does not break when a newer node has one more; the compiler makes the reader handle it.
 */
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = <const Known extends readonly string[]>(known: Known) =>
  v.union([v.picklist(known), v.string()]) as unknown as v.GenericSchema<Known[number], Known[number] | NewWord>
