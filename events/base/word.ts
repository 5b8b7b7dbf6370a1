import * as v from 'valibot'

/** A word that this version does not know: a newer node has answered with it. */
export type NewWord = string & { readonly isNew: true }

/** What this version answers, by the schema of its contract: known words only. */
export type Sent<Schema extends v.GenericSchema> = v.InferInput<Schema>

/** What a page may get, also from a newer node: any word may be a new one. */
export type Received<Schema extends v.GenericSchema> = v.InferOutput<Schema>

/**
 * One of some words, in an answer. The sender uses known words only. The reader accepts any word, so that a list does not
 * break when a newer node knows one more; the compiler makes the reader handle it.
 * @__NO_SIDE_EFFECTS__ so that a page loads no schema that it does not use
 */
export const oneOf = <const Known extends readonly string[]>(known: Known) =>
  v.union([v.picklist(known), v.string()]) as unknown as v.GenericSchema<Known[number], Known[number] | NewWord>
