import * as v from 'valibot'
import { expect, test } from 'vitest'
import { companyForm, companyLines, NO_COMPANY, vatInWords } from './company.ts'

const problems = (input: object) =>
  v.safeParse(companyForm, input).issues?.map(({ message, path }) => [path?.[0]?.key, message]) ?? []

test('all fields are optional, and blank ones count as missing', () => {
  expect(v.parse(companyForm, {})).toEqual(NO_COMPANY)
  expect(v.parse(companyForm, { registeredName: ' ', vat: '', guarantee: null })).toEqual(NO_COMPANY)
  expect(companyLines(NO_COMPANY)).toEqual([])
})

test('only an agency that is registered for VAT has a number, which is required', () => {
  expect(problems({ vat: 'registered' })).toEqual([['vatNumber', 'Enter the VAT number']])
  expect(problems({ vat: 'registered', vatNumber: '5123456789' })).toEqual([
    ['vatNumber', 'A VAT number has 10 digits and begins with 4'],
  ])
  expect(problems({ vat: 'perhaps' })).toEqual([['vat', 'Choose one']])
  expect(v.parse(companyForm, { vat: 'registered', vatNumber: '4123 456 789' }).vatNumber).toBe('4123456789')
  expect(v.parse(companyForm, { vat: 'not_registered', vatNumber: '4123456789' }).vatNumber).toBeNull()
})

test.each(['not_registered', ''])('a number that was half typed is no problem once somebody chooses %j', (vat) => {
  expect(problems({ vat, vatNumber: '123' })).toEqual([])
  expect(v.parse(companyForm, { vat, vatNumber: '123' }).vatNumber).toBeNull()
})

test('the lines hold the given values, an address in one line', () => {
  const company = v.parse(companyForm, {
    registeredName: 'Karoo Web Studio (Pty) Ltd',
    registrationNumber: '2019/123456/07',
    vat: 'registered',
    vatNumber: '4123456789',
    address: '12 Loop Street,\nCape Town\r\n8001',
  })
  expect(companyLines(company)).toEqual([
    'Karoo Web Studio (Pty) Ltd',
    'Registration number: 2019/123456/07',
    'VAT number: 4123456789',
    '12 Loop Street, Cape Town, 8001',
  ])
  expect(companyLines({ ...NO_COMPANY, vat: 'not_registered' })).toEqual(['Not registered for VAT'])
})

test('the sentence about VAT follows from whether it is charged', () => {
  expect(vatInWords({ vat: 'registered' })).toContain('include VAT')
  expect(vatInWords({ vat: 'not_registered' })).toContain('no VAT is added')
  expect(vatInWords({ vat: null })).toBe('Our prices include VAT where it applies. Your invoice shows it.')
})
