/**
 * Owners set the agency's legal identity, because customers need to know with whom they sign: its registered name, its
 * numbers, its address, and its guarantees. Missing values show nowhere. VAT: whether it is charged follows from `vat`.
 */

import * as v from 'valibot'
import { optionalText } from '../base/text.ts'
import { oneOf } from '../base/word.ts'
import { definePart } from './part.ts'

const MAX_NAME_CHARACTERS = 120
const MAX_NUMBER_CHARACTERS = 40
const MAX_ADDRESS_CHARACTERS = 300
const MAX_GUARANTEE_CHARACTERS = 400

/** Ten digits, the first of which is 4 (SARS, VAT vendor search). */
const VAT_NUMBER = /^4\d{9}$/

/** Whether the agency is registered for VAT; null if it has not said so. */
export const VAT_STATES = ['registered', 'not_registered'] as const

const typedNumber = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((text) => text.replace(/\s/g, '') || null),
)

const MALFORMED_NUMBER = 'A VAT number has 10 digits and begins with 4'

const vatNumber = v.pipe(typedNumber, v.nullable(v.pipe(v.string(), v.regex(VAT_NUMBER, MALFORMED_NUMBER))))

/** Blank is not said. */
const vatState = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((choice) => choice || null),
  v.nullable(v.picklist(VAT_STATES, 'Choose one')),
)

const companyFields = v.strictObject({
  registeredName: optionalText(MAX_NAME_CHARACTERS),
  registrationNumber: optionalText(MAX_NUMBER_CHARACTERS),
  vat: vatState,
  vatNumber,
  address: optionalText(MAX_ADDRESS_CHARACTERS, { lines: true }),
  guarantee: optionalText(MAX_GUARANTEE_CHARACTERS, { lines: true }),
})

/**
 * A registered agency has to give its VAT number (Value-Added Tax Act 89 of 1991, section 20). A number typed before
 * choosing otherwise is ignored.
 */
export const companyForm = v.pipe(
  v.strictObject({ ...companyFields.entries, vatNumber: typedNumber }),
  v.forward(
    v.partialCheck(
      [['vat'], ['vatNumber']],
      ({ vat, vatNumber: number }) => vat !== 'registered' || number !== null,
      'Enter the VAT number',
    ),
    ['vatNumber'],
  ),
  v.forward(
    v.partialCheck(
      [['vat'], ['vatNumber']],
      ({ vat, vatNumber: number }) => vat !== 'registered' || number === null || VAT_NUMBER.test(number),
      MALFORMED_NUMBER,
    ),
    ['vatNumber'],
  ),
  v.transform((company) => (company.vat === 'registered' ? company : { ...company, vatNumber: null })),
)

export type Company = v.InferOutput<typeof companyFields>

/** The default of an agency that has set nothing: none of it shows. */
export const NO_COMPANY: Company = {
  registeredName: null,
  registrationNumber: null,
  vat: null,
  vatNumber: null,
  address: null,
  guarantee: null,
}

const VAT_SENTENCES = {
  registered: 'Our prices include VAT. Your invoice shows it.',
  not_registered: 'We are not registered for VAT, so no VAT is added to our prices.',
}

/** The sentence about VAT for customers. */
export const vatInWords = ({ vat }: Pick<Company, 'vat'>) =>
  vat ? VAT_SENTENCES[vat] : 'Our prices include VAT where it applies. Your invoice shows it.'

const inOneLine = (address: string) => address.split(/,?\s*[\r\n]+\s*/).join(', ')

/** The agency's legal identity, line by line, without missing values. */
export const companyLines = ({ registeredName, registrationNumber, vat, vatNumber, address }: Company) => [
  ...(registeredName ? [registeredName] : []),
  ...(registrationNumber ? [`Registration number: ${registrationNumber}`] : []),
  ...(vatNumber ? [`VAT number: ${vatNumber}`] : []),
  ...(vat === 'not_registered' ? ['Not registered for VAT'] : []),
  ...(address ? [inOneLine(address)] : []),
]

export const companyPart = definePart({
  name: 'company',
  summary: 'Sets the legal details of the agency, and its guarantee',
  type: 'CompanyDetailsChanged',
  form: companyForm,
  stored: companyFields.entries,
  apply: (company) => company,
  initial: NO_COMPANY,
})

export const companyWire = v.object({
  registeredName: v.nullable(v.string()),
  registrationNumber: v.nullable(v.string()),
  vat: v.nullable(oneOf(VAT_STATES)),
  vatNumber: v.nullable(v.string()),
  address: v.nullable(v.string()),
  guarantee: v.nullable(v.string()),
})
