import { expect, test } from 'vitest'
import { leadInWords, namesOf } from './name.ts'

test.each([
  ['a person with a company', { name: 'Ana Botha', businessName: 'Botha Bakery' }, 'Ana Botha', 'Botha Bakery'],
  ['a quote for a company', { name: 'Ana', businessName: null, company: 'Stoep' }, 'Ana', 'Stoep'],
  ['both', { name: 'Ana', businessName: 'Stoep', company: 'Stoep Holdings' }, 'Ana', 'Stoep'],
  ['a person alone', { name: 'Ana', businessName: null, company: null }, 'Ana', null],
  ['a company alone', { name: '', businessName: 'Stoep' }, 'Stoep', null],
  ['a company that signs as itself', { name: 'Stoep', businessName: 'Stoep' }, 'Stoep', null],
  ['nobody', { name: '', businessName: null }, 'New Submission', null],
])('names %s', (_, lead, person, company) => {
  expect(namesOf(lead)).toEqual({ person, company })
  expect(leadInWords(lead)).toBe(company ? `${person}, ${company}` : person)
})
