import { expect, test } from 'vitest'
import { productPrefix } from '../../base/product-prefix.ts'
import { exportName } from './export-name.ts'

const now = new Date('2026-11-25T10:00:00Z')
const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
const nameOf = (agencyName: string, from?: string, to?: string) =>
  exportName(agencyName, { from: instantOf(from), to: instantOf(to), now, extension: 'csv' })

test.each([
  ['2026-11-14T22:00:00Z', '2026-11-15T22:00:00Z', 'leads-2026-11-15.csv'],
  ['2026-11-14T22:00:00Z', '2026-11-21T22:00:00Z', 'week-2026-11-15.csv'],
  ['2026-11-15T22:00:00Z', '2026-11-22T22:00:00Z', 'week-2026-11-16.csv'],
  ['2026-11-20T22:00:00Z', '2026-11-27T22:00:00Z', 'week-2026-11-21.csv'],
  ['2026-10-31T22:00:00Z', '2026-11-30T22:00:00Z', 'month-2026-11.csv'],
  ['2026-11-14T22:00:00Z', '2026-11-24T22:00:00Z', 'leads-2026-11-15-to-2026-11-24.csv'],
  [undefined, undefined, 'leads-all-dates.csv'],
])('a file of the leads from %s to %s is named after the agency and its days: %s', (from, to, name) => {
  expect(nameOf('Karoo Web Studio', from, to)).toBe(`karoo-web-studio-${name}`)
})

test('the name of a file holds only characters that every system takes', () => {
  expect(productPrefix(' Café & Sons (Pty) Ltd. ')).toBe('cafe-sons-pty-ltd')
  expect(nameOf('株式会社', '2026-11-14T22:00:00Z', '2026-11-15T22:00:00Z')).toBe('leads-2026-11-15.csv')
})
