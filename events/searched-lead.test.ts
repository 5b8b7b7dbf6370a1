import { expect, test } from 'vitest'
import { holdsWords, searchedWords } from './searched-lead.ts'

const LEAD = {
  name: 'Ana Botha',
  businessName: null,
  email: 'ana@stoep.example',
  phone: '082 555 0142',
  company: 'Stoep',
}

test('each word is found in any field, in any order, and a number however it is written', () => {
  for (const q of ['botha stoep', 'STOEP  ana', 'stoep 555', '+27 82 555 0142', 'lead form', 'form botha', ''])
    expect([q, holdsWords(LEAD, q)]).toEqual([q, true])
  for (const q of ['botha kloof', 'ana botha stoep 999', `ana ${'x'.repeat(801)}`])
    expect([q, holdsWords(LEAD, q)]).toEqual([q, false])
})

test('a pasted page is looked for by its longest words, at once', () => {
  const page = Array.from({ length: 3_000 }, (_, index) => index.toString(36)).join(' ')
  expect(searchedWords(page)).toHaveLength(16)
  expect(searchedWords('than thandi and')).toEqual([['thandi']])
})
