import * as v from 'valibot'

/** A list of at most `max` items. The length is checked before the items, so a longer list costs nothing. */
export const listOf = <Item extends v.GenericSchema>(item: Item, max: number, message: string) =>
  v.pipe(v.custom<v.InferInput<Item>[]>(Array.isArray, 'Must be a list'), v.maxLength(max, message), v.array(item))
