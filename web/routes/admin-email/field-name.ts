import { nameOf } from '../../../events/base/name-of.ts'
import { SHOWN_NAMES } from '../../staff/leads/labels.ts'

const NAMES: Record<string, string> = {
  ...SHOWN_NAMES,
  leadSource: 'Source',
  pageUrl: 'Page',
  agreedToTerms: 'Agreed to the terms',
}

/** A field of an email as staff read it: the email itself has the name that the form gives it. */
export const fieldName = (name: string) => nameOf(NAMES, name)
