import { phoneKeys } from '../base/phone.ts'
import { LEAD_FORM_TYPE } from './lead.ts'
import { asSearched, holdsAll, searchedLines, searchedWords } from './searched-text.ts'
import type { Lead } from './wire.ts'

const EVERY_LEAD_HAS = asSearched(LEAD_FORM_TYPE)

type Fields = Pick<Lead, 'name' | 'businessName' | 'email' | 'phone' | 'company'>

/** What a search looks through (specification, 5); each number also as it is dialled. */
export const searchedText = ({ name, businessName, email, phone, company }: Fields): string =>
  searchedLines([name, businessName, email, phone, company, ...phoneKeys(phone)])

/** What a lead has to hold to be found by a text; nothing where every lead is found: all have the form type. */
export const leadWords = (q: string): string[][] => searchedWords(q, EVERY_LEAD_HAS)

/** Whether what is searched in a lead holds all words of a text, each in whichever field. */
export const holdsWords = (lead: Fields, q: string): boolean => holdsAll(searchedText(lead), leadWords(q))
