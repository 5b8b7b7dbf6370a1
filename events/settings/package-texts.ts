import * as v from 'valibot'
import { requiredText } from '../base/text.ts'
import { definePart } from './part.ts'
import { PACKAGE_IDS } from './prices.ts'

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

export const packageTextsPart = definePart({
  name: 'package-texts',
  summary: 'Sets the texts of packages',
  type: 'PackageTextsChanged',
  form: packageTextsForm,
  apply: ({ packages }) => packages,
  initial: {},
})

export const packageTextsWire = v.object(
  v.entriesFromList(
    PACKAGE_IDS,
    v.exactOptional(
      v.object({
        forWhom: v.string(),
        features: v.array(v.string()),
        delivery: v.string(),
        summary: v.string(),
        included: v.array(v.string()),
        notIncluded: v.array(v.string()),
        terms: v.array(v.string()),
      }),
    ),
  ),
)
