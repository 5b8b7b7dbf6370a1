import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['Thandi Mokoena', 'TM'],
  ['thandi', 'T'],
  ['Pieter van der Merwe', 'PV'],
  ['𝒜na  Botha', '𝒜B'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
