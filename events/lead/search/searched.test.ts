import { expect, test } from 'vitest'
import { holdsTerm, leadWords } from './searched.ts'

const LEAD = {
  id: 'a',
  name: 'Ana Botha',
  businessName: null,
  email: 'ana@stoep.example',
  phone: '082 555 0142',
  company: 'Stoep',
}

test('each word is found in any field, in any order, and a number however it is written', () => {
  for (const q of [
    'botha stoep',
    'STOEP  ana',
    'stoep 555',
    '+27 82 555 0142',
    'lead form',
    'form botha',
    '',
    ' STOEP ',
    '+27 82 55',
  ])
    expect([q, holdsTerm(LEAD, q)]).toEqual([q, true])
  for (const q of ['botha kloof', 'hero_form', '%', 'Stoep and Co', 'ana botha stoep 999', `ana ${'x'.repeat(801)}`])
    expect([q, holdsTerm(LEAD, q)]).toEqual([q, false])
})

test.each([
  ['Søren Łukasz', ['soren', 'lukasz', 'Søren', 'ŁUKASZ']],
  ['Weiß & Æbelø', ['weiss', 'weiß', 'aebelo', 'Æbelø']],
  ["Sean O'Brien", ['obrien', "o'brien", 'O\u2019Brien', 'brien, sean', 'sean obrien']],
  ['Rémi Dupont', ['remi, dupont', 'Dupont, Rémi', 'dupont; remi', '"remi"', '(dupont)', 'RÉMI']],
  ['Remi Dupont', ['rémi']],
  ['Jan van der Merwe (Jnr.)', ['jnr', 'jnr.', '(jnr.)', 'merwe,jan']],
])('%s is found by any way to write the name', (name, ways) => {
  for (const q of ways) expect([q, holdsTerm({ ...LEAD, name }, q)]).toEqual([q, true])
  expect(holdsTerm({ ...LEAD, name }, 'another person')).toBe(false)
})

test('a pasted page is searched for by its longest words, quickly', () => {
  const page = Array.from({ length: 3_000 }, (_, index) => index.toString(36)).join(' ')
  expect(leadWords(page)).toHaveLength(16)
  expect(leadWords('than thandi and')).toEqual([['thandi']])
})
