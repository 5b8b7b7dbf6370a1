import * as v from 'valibot'

/** A picture of 144 pixels (web/staff/account/photo-field.tsx) needs 3 to 8 kB; in base64 a third more. */
const MAX_PHOTO_CHARACTERS = 14_000

/** A small picture of a person at the agency, as a data URL; null for none. */
export const photo = v.nullable(
  v.pipe(
    v.string(),
    v.maxLength(MAX_PHOTO_CHARACTERS, 'The picture is too large'),
    v.regex(/^data:image\/(webp|jpeg|png);base64,[A-Za-z0-9+/]+=*$/, 'Choose a WebP, JPEG or PNG picture'),
  ),
)
