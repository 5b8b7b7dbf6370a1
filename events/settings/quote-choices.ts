import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { PACKAGE_CHOICES } from '../base/choices.ts'
import { requiredText } from '../base/text.ts'
import { DEFAULT_PACKAGES, type OwnPackages, packageLine, packageOf } from './packages.ts'
import { definePart } from './part.ts'
import { PACKAGE_IDS, type Price } from './prices.ts'

const MAX_LABEL_CHARACTERS = 60

/** The label of one choice of a package. */
export const quoteLabel = requiredText('Write something', { max: MAX_LABEL_CHARACTERS })

/** The choices of the quote form, by their values in a lead. */
export const QUOTE_CHOICE_IDS = [...PACKAGE_IDS, 'custom'] as const

/**
 * The labels of the quote form's packages that owners have set; the others have the website's default labels. A lead
 * holds the choice's value, which does not change: a form opened before a change is accepted as before.
 */
export const quoteChoicesForm = v.strictObject({
  labels: v.strictObject(v.entriesFromList(QUOTE_CHOICE_IDS, v.exactOptional(quoteLabel))),
})

/** Labels of owners, by choice. */
export type OwnLabels = v.InferOutput<typeof quoteChoicesForm>['labels']

/**
 * The labels that choices have if owners set none: those of the specification, as long as the package has its name and
 * price too.
 */
export const defaultLabels = (own: OwnPackages): Required<OwnLabels> => {
  const labels = PACKAGE_CHOICES.map(({ value, label }) => {
    if (value === 'custom') return [value, label]
    const line = packageLine(packageOf(value, own))
    return [value, line === packageLine(DEFAULT_PACKAGES[value]) ? label : line]
  })
  return Object.fromEntries(labels)
}

/** The quote form's packages as visitors read them. */
export const quoteChoices = (labels: OwnLabels, own: OwnPackages) => {
  const defaults = defaultLabels(own)
  return QUOTE_CHOICE_IDS.map((value) => ({ value, label: labels[value] ?? defaults[value] }))
}

const AMOUNT = /R\s?[\d,.]*\d(\s?(\/|per|a)\s?month)?/gi

/** Whether a label names an amount that is not a price on the package's card. */
export const differsFromCard = (label: string, { once, monthly }: Price) => {
  return [...label.matchAll(AMOUNT)].some(([amount, isMonthly]) => {
    const price = isMonthly ? monthly : once
    const written = amount.slice(0, amount.length - (isMonthly?.length ?? 0)).replace(/\s/g, '')
    return price === null || written.toUpperCase().replaceAll(',', '') !== inRand(price).replaceAll(',', '')
  })
}

export const quoteChoicesPart = definePart({
  name: 'quote-choices',
  summary: 'Sets the choices of the quote form',
  type: 'QuoteChoicesChanged',
  form: quoteChoicesForm,
  apply: ({ labels }) => labels,
  initial: {},
})

export const quoteLabelsWire = v.object(v.entriesFromList(QUOTE_CHOICE_IDS, v.exactOptional(v.string())))
