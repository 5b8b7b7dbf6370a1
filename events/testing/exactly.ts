import * as v from 'valibot'
import type { Sent } from '../base/word.ts'

/** The parts of any schema that hold other schemas. */
type Parts = {
  type: string
  key: string
  entries: v.ObjectEntries
  item: v.GenericSchema
  items: v.GenericSchema[]
  options: v.GenericSchema[]
  wrapped: v.GenericSchema
}

const strictly = (schema: v.GenericSchema): v.GenericSchema => {
  const { type, key, entries, item, items, options, wrapped } = schema as v.GenericSchema & Parts
  switch (type) {
    case 'object':
      return v.strictObject(Object.fromEntries(Object.entries(entries).map(([name, each]) => [name, strict(each)])))
    case 'array':
      return v.array(strict(item))
    case 'tuple':
      return v.strictTuple(items.map(strict))
    case 'variant':
      return v.variant(key, options.map(strict) as v.VariantOptions<string>)
    case 'union': // a word: its known ones come first
      return strict(options[0] ?? schema)
    case 'nullable':
      return v.nullable(strict(wrapped))
    case 'exact_optional':
      return v.exactOptional(strict(wrapped))
    default:
      return schema
  }
}

const strict = (schema: v.GenericSchema | v.ObjectEntries[string]) => strictly(schema as v.GenericSchema)

/**
 * Throws if a response of this version is not exactly as in its contract: a field is missing, has another type or is
 * not in the contract, or a word is unknown. Returns it unchanged.
 */
export const exactly = <Schema extends v.GenericSchema>(schema: Schema, answer: unknown): Sent<Schema> => {
  v.parse(strictly(schema), answer)
  return answer as Sent<Schema>
}
