import { expect, test } from 'vitest'
import { contractReferenceOf, idsOfContract, idsOfReference, referenceOf } from './reference.ts'

const ID = '3f9a2c1b-7d10-8f00-9a31-0242ac120002'

test('a lead has a reference of eight characters, by which its id is found in any way of writing', () => {
  expect(referenceOf(ID)).toBe('3F9A-2C1B')
  for (const written of ['3F9A-2C1B', '3f9a2c1b', ' 3f9a 2c1b ']) {
    const { from, to } = idsOfReference(written) ?? { from: '', to: '' }
    expect([from <= ID, ID <= to]).toEqual([true, true])
  }
  const { from, to } = idsOfReference('3F9A-2C1C') ?? { from: '', to: '' }
  expect(from <= ID && ID <= to).toBe(false)
})

test('a contract has a reference of twelve characters, and is not found by fewer', () => {
  expect(contractReferenceOf(ID)).toBe('3F9A-2C1B-7D10')
  for (const written of ['3F9A-2C1B-7D10', '3f9a2c1b7d10', ' 3f9a 2c1b 7d10 ']) {
    const { from, to } = idsOfContract(written) ?? { from: '', to: '' }
    expect([from <= ID, ID <= to]).toEqual([true, true])
    expect(idsOfReference(written)).toEqual({ from, to })
  }
  const { from, to } = idsOfContract('3F9A-2C1B-7D11') ?? { from: '', to: '' }
  expect(from <= ID && ID <= to).toBe(false)
  for (const short of ['3F9A-2C1B', '3F9A-2C1B-7D1', '3F9A-2C1B-7D100']) expect(idsOfContract(short)).toBeUndefined()
})

test.each(['3F9A-2C1', '3F9A-2C1BB', 'thandi', '', '0825550142'])('%j is no reference', (text) => {
  expect(idsOfReference(text)).toBeUndefined()
})
