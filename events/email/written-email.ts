import { requiredText } from '../base/text.ts'

/** The longest subject of an email, in UTF-16 code units. */
const MAX_SUBJECT_CHARACTERS = 200
/** The longest text that staff write to a person, in UTF-16 code units. */
export const MAX_ANSWER_CHARACTERS = 10_000

/** A subject is one line: a line break in it could begin another header of the email. */
export const emailSubject = requiredText('A subject is required', { max: MAX_SUBJECT_CHARACTERS })

/** The text of an email that staff write. */
export const emailText = requiredText('A text is required', { max: MAX_ANSWER_CHARACTERS, lines: true })
