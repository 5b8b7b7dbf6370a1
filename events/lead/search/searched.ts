import { phoneKeys } from '../../base/phone.ts'
import { idsOfReference } from '../../base/reference.ts'
import { LEAD_FORM_TYPE } from '../lead.ts'
import type { Lead } from '../wire.ts'
import { asSearched, holdsAll, searchedLines, searchedWords } from './searched-text.ts'

const EVERY_LEAD_HAS = asSearched(LEAD_FORM_TYPE)

type Fields = Pick<Lead, 'name' | 'businessName' | 'email' | 'phone' | 'company'>

/** The searchable text of a lead; each number also as dialled. */
export const searchedText = ({ name, businessName, email, phone, company }: Fields): string =>
  searchedLines([name, businessName, email, phone, company, ...phoneKeys(phone)])

/** The words that a lead has to contain to match a text; none if every lead matches: all have the form type. */
export const leadWords = (q: string): string[][] => searchedWords(q, EVERY_LEAD_HAS)

/** Whether a lead contains each word of a term in one of its searched fields, or has it as its reference. */
export const holdsTerm = (lead: Fields & Pick<Lead, 'id'>, term: string) => {
  const named = idsOfReference(term)
  return (
    holdsAll(searchedText(lead), leadWords(term)) ||
    (named !== undefined && named.from <= lead.id && lead.id <= named.to)
  )
}
