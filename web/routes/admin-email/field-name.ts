import { nameOf } from '../../../events/base/name-of.ts'
import { SHOWN_NAMES } from '../../staff/leads/labels.ts'

const NAMES: Record<string, string> = {
  ...SHOWN_NAMES,
  leadSource: 'Source',
  pageUrl: 'Page',
  agreedToTerms: 'Agreed to the terms',
}

/** The label of an email's field: the message itself has the name that the form gives it. */
export const fieldName = (name: string) => nameOf(NAMES, name)
