import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { PACKAGE_CHOICES } from '../base/choices.ts'
import { defineEvent } from '../base/definition.ts'
import { requiredText } from '../base/text.ts'
import { PACKAGE_IDS, type PackageId } from './offer.ts'
import { PRICES } from './prices.ts'

const MAX_LABEL_CHARACTERS = 60

/** What one choice of a package says. */
export const quoteLabel = requiredText('Write something', { max: MAX_LABEL_CHARACTERS })

/** What the quote form offers, by its value in a lead. */
export const QUOTE_CHOICE_IDS = [...PACKAGE_IDS, 'custom'] as const

/**
 * The labels of the quote form's packages that owners have set; the others keep those that the website comes with. A lead
 * holds the choice's value, which stays, so that a form that was opened before a change is taken as before.
 */
export const quoteChoicesForm = v.strictObject({
  labels: v.strictObject(v.entriesFromList(QUOTE_CHOICE_IDS, v.exactOptional(quoteLabel))),
})

/** Labels of owners, by choice. */
export type OwnLabels = v.InferOutput<typeof quoteChoicesForm>['labels']

export const quoteChoicesChanged = defineEvent({
  type: 'QuoteChoicesChanged',
  schemaVersion: 1,
  data: v.object({ ...quoteChoicesForm.entries, by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/** The quote form's packages as visitors read them. */
export const quoteChoices = (labels: OwnLabels) =>
  PACKAGE_CHOICES.map(({ value, label }) => ({ value, label: labels[value] ?? label }))

const AMOUNT = /R\s?[\d,.]*\d(\s?(\/|per|a)\s?month)?/gi

/** Whether a label names an amount that the package does not cost on its card. */
export const differsFromCard = (label: string, id: PackageId) => {
  const { once, monthly } = PRICES[id]
  return [...label.matchAll(AMOUNT)].some(([amount, isMonthly]) => {
    const price = isMonthly ? monthly : once
    const written = amount.slice(0, amount.length - (isMonthly?.length ?? 0)).replace(/\s/g, '')
    return price === null || written.toUpperCase().replaceAll(',', '') !== inRand(price).replaceAll(',', '')
  })
}
