import { CONTACT_METHODS, PACKAGE_CHOICES, TIMELINES } from '../base/choices.ts'
import { valueFor } from '../base/name-of.ts'
import type { LeadState } from './follow-up/follow-up.ts'
import type { LeadPackage, LeadSource } from './form/kind.ts'

/** The follow-up status of a lead, in words. */
export const STATUS_NAMES: Record<LeadState, string> = {
  new: 'New',
  contacted: 'Contacted',
  quoted: 'Quoted',
  won: 'Won',
  lost: 'Lost',
  erased: 'Erased',
}

/** The sources of leads, as staff call them. */
export const SOURCE_NAMES: Record<LeadSource, string> = {
  hero_form: 'Consultation form',
  contact_form: 'Quote form',
  contract_essential: 'Essential contract',
  contract_professional: 'Professional contract',
  contract_premium: 'Premium contract',
  'Website Info Form': 'Website Info Form',
  live_chat: 'Live chat',
  by_hand: 'By hand',
  import: 'Import',
  other: 'Other sources',
}

/** Which package leads are about, as staff call it. */
export const PACKAGE_NAMES: Record<LeadPackage, string> = {
  essential: 'Essential',
  professional: 'Professional',
  premium: 'Premium',
  custom: 'Custom',
  none: 'No package named',
  other: 'Another package',
}

/** The source of one lead in words; one that a caller made up stays as it is. */
export const sourceInWords = (leadSource: string): string => valueFor(SOURCE_NAMES, leadSource) ?? leadSource

/**
 * The source of the quote form, which stores the preferred contact in the field that holds the industry in other forms.
 */
const QUOTE_SOURCE = 'contact_form' satisfies LeadSource

/** The name of a lead's field `industry`. */
export const industryName = ({ leadSource }: { leadSource: string }): 'Preferred contact' | 'Industry' =>
  leadSource === QUOTE_SOURCE ? 'Preferred contact' : 'Industry'

const namesOf = (choices: readonly { value: string; label: string }[]) =>
  Object.fromEntries(choices.map(({ value, label }) => [value, label]))

const CHOICE_NAMES = {
  // without the price, which is on the package's page
  package: Object.fromEntries(PACKAGE_CHOICES.map(({ value, label }) => [value, label.replace(/ - .*/, '')])),
  industry: namesOf(CONTACT_METHODS),
  timeline: namesOf(TIMELINES),
}

/** A visitor's choice in a form, in the words of the form; typed text stays as it is. */
export const choiceInWords = (field: keyof typeof CHOICE_NAMES, value: string | null): string | null =>
  value && (valueFor(CHOICE_NAMES[field], value) ?? value)
