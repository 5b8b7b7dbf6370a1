import { expect, test } from 'vitest'
import { distinctAddresses, emailKey } from '../../base/address.ts'
import { familiesOf } from './families.ts'
import { findPersonKeys, linksFrom, personKeys } from './person.ts'

test('an address is the same in any case', () => {
  expect(emailKey(' Thandi@Example.CO.za ')).toBe('thandi@example.co.za')
  expect(emailKey('')).toBeNull()
  expect(emailKey(null)).toBeNull()
})

test('addresses that differ in case are one, in the first spelling', () => {
  const addresses = ['Desk@agency.example', 'two@agency.example', 'desk@Agency.example', 'TWO@agency.example']
  expect(distinctAddresses(addresses)).toEqual(['Desk@agency.example', 'two@agency.example'])
})

const contact = (id: string, email: string, phone: string, mergedInto: string | null = null) => ({
  id,
  email,
  phone,
  mergedInto,
})

test('leads are linked by the nearest lead that has the same address or number, or was merged with it', () => {
  const contacts = [
    contact('first', 'info@stoep.example', '082 555 0142'),
    contact('merged', 'thandi@stoep.example', '', 'first'),
    contact('both', 'INFO@stoep.example', '+27 82 555 0142'),
    contact('colleague', 'sipho@stoep.example', '0825550142'),
    contact('of the merged', 'Thandi@stoep.example', '000 000 0000'),
    contact('of the colleague', 'sipho@stoep.example', ''),
    contact('merged far away', 'other@example.com', '', 'of the colleague'),
    contact('stranger', 'nobody@example.com', '000 000 0000'),
  ]
  expect(Object.fromEntries(linksFrom('first', contacts))).toEqual({
    first: [],
    merged: [{ by: 'merge', leadId: 'first' }],
    both: [
      { by: 'email', leadId: 'first' },
      { by: 'phone', leadId: 'first' },
    ],
    colleague: [{ by: 'phone', leadId: 'first' }],
    'of the merged': [{ by: 'email', leadId: 'merged' }],
    'of the colleague': [{ by: 'email', leadId: 'colleague' }],
    'merged far away': [{ by: 'merge', leadId: 'of the colleague' }],
  })
})

test('a lead is linked by the address of the chat that it was made of if nothing else links it', () => {
  const contacts = [
    contact('first', 'info@stoep.example', ''),
    { ...contact('made', 'thandi@home.example', ''), chatKeys: ['other@stoep.example', 'info@stoep.example'] },
    { ...contact('made alike', 'info@stoep.example', ''), chatKeys: ['info@stoep.example'] },
    contact('of the made', 'thandi@home.example', ''),
  ]
  expect(Object.fromEntries(linksFrom('first', contacts))).toEqual({
    first: [],
    made: [{ by: 'chat', leadId: 'first' }],
    'made alike': [{ by: 'email', leadId: 'first' }],
    'of the made': [{ by: 'email', leadId: 'made' }],
  })
})

test('from the lead of a chat those with the chat’s address are linked, and leads of other chats that had it', () => {
  const contacts = [
    { ...contact('made', 'thandi@home.example', ''), chatKeys: ['info@stoep.example'] },
    contact('form', 'info@stoep.example', ''),
    { ...contact('made alike', 'sipho@home.example', ''), chatKeys: ['info@stoep.example'] },
    contact('stranger', 'other@stoep.example', ''),
  ]
  expect(Object.fromEntries(linksFrom('made', contacts))).toEqual({
    made: [],
    form: [{ by: 'chat', leadId: 'made' }],
    'made alike': [{ by: 'chat', leadId: 'made' }],
  })
})

test('former values of a corrected lead link others, and are named as the reason if nothing else links them', () => {
  const contacts = [
    {
      ...contact('first', 'right@stoep.example', '082 555 0142'),
      earlier: { emails: ['wrong@stoep.example'], phones: ['27825550143'] },
    },
    contact('typed alike', 'Wrong@stoep.example', ''),
    contact('same number', 'other@stoep.example', '082 555 0143'),
    contact('both', 'right@stoep.example', '082 555 0143'),
    { ...contact('of a chat', 'home@stoep.example', ''), chatKeys: ['wrong@stoep.example'] },
    contact('of the typed', 'nobody@stoep.example', ''),
  ]
  const earlier = [{ by: 'earlier', leadId: 'first' }]
  expect(Object.fromEntries(linksFrom('first', contacts))).toEqual({
    first: [],
    both: [{ by: 'email', leadId: 'first' }],
    'typed alike': earlier,
    'same number': earlier,
    'of a chat': earlier,
  })
})

test('a family is the lead that stays and all that were merged into it, directly or not', () => {
  const familyOf = familiesOf([
    { id: 'gone', mergedInto: 'also gone' },
    { id: 'also gone', mergedInto: 'stays' },
    { id: 'alone', mergedInto: null },
    { id: 'stays' },
  ])
  for (const id of ['gone', 'also gone', 'stays']) {
    expect(familyOf(id).map((lead) => lead.id)).toEqual(['stays', 'gone', 'also gone'])
  }
  expect(familyOf('alone').map(({ id }) => id)).toEqual(['alone'])
})

test('a flood of leads with one address is linked quickly', () => {
  const flood = Array.from({ length: 50_000 }, (_, index) => contact(String(index), 'info@stoep.example', ''))
  expect(linksFrom('0', flood).size).toBe(flood.length)
})

test.each([
  ['Ana@Example.com; ana2@example.com', true],
  ['ana@example.com (work)', true],
  ['call 0027 (0)82 555-0142 / 021 555 0100', true],
  ['825550142', true],
  ['+44 20 7946 0018', true],
  ['ben@example.com, 082 555 0143', false],
  ['', false],
])('tells whether %j names somebody whose keys are known', (text, isNamed) => {
  const keys = [...personKeys({ email: 'ana@example.com', phone: '082 555 0142' }), '442079460018']
  expect(findPersonKeys(keys)(text)).toBe(isNamed)
})
