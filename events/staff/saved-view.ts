import * as v from 'valibot'
import { requiredText } from '../base/text.ts'

const MAX_NAME_CHARACTERS = 60
const MAX_QUERY_CHARACTERS = 1_000

/** How many views one account can save. */
export const MAX_SAVED_VIEWS = 30

const name = requiredText('Name is required', { max: MAX_NAME_CHARACTERS })

/**
 * A list of leads under a name of one's own; the body of `POST /api/me/views`. `query` is that of the dashboard's
 * address.
 */
export const savedViewForm = v.strictObject({
  name,
  query: v.pipe(
    v.string(),
    v.maxLength(MAX_QUERY_CHARACTERS),
    v.regex(/^[\x21-\x7e]*$/, 'Must be the query of an address'),
  ),
})

/** A new name for a view; the body of `PATCH /api/me/views/:id`. */
export const savedViewName = v.strictObject({ name })
