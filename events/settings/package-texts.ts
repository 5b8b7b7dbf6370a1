import * as v from 'valibot'
import { defineEvent } from '../base/definition.ts'
import { requiredText } from '../base/text.ts'
import { PACKAGE_IDS } from './offer.ts'

/** The longest line of a list, in UTF-16 code units. */
export const MAX_LINE_CHARACTERS = 200
const MAX_SUMMARY_CHARACTERS = 400
const MAX_LINES = 20

const line = requiredText('Write something', { max: MAX_LINE_CHARACTERS })
/** Lines, possibly none. */
export const lines = v.pipe(v.array(line), v.maxLength(MAX_LINES, `At most ${MAX_LINES} lines`))
/** At least one line. */
export const someLines = v.pipe(lines, v.minLength(1, 'Write at least one line'))

/** The texts of a package's card and contract page, except name and prices. */
export const packageTexts = v.strictObject({
  forWhom: line,
  features: someLines,
  delivery: line,
  summary: requiredText('Write something', { max: MAX_SUMMARY_CHARACTERS, lines: true }),
  included: someLines,
  notIncluded: lines,
  terms: someLines,
})

/** The packages whose texts owners have set; the others have the website's default texts. */
export const packageTextsForm = v.strictObject({
  packages: v.strictObject(v.entriesFromList(PACKAGE_IDS, v.exactOptional(packageTexts))),
})

/** Texts of owners, by package. */
export type OwnTexts = v.InferOutput<typeof packageTextsForm>['packages']

export const packageTextsChanged = defineEvent({
  type: 'PackageTextsChanged',
  schemaVersion: 1,
  data: v.object({ ...packageTextsForm.entries, by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})
