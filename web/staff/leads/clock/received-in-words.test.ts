import { expect, test } from 'vitest'
import { csvLine, sheetCells } from '../../../../events/lead/export/sheet.ts'
import { testLead } from '../../../testing/lead.ts'
import { receivedInShort, receivedMoment, receivedTime } from './received-in-words.ts'

const MIDNIGHT = '2025-11-23T22:00:00.000Z'
const owners = new Map<string, string>()

test('an imported lead with only a known day has no time, on screens and in files', () => {
  const lead = testLead({ leadSource: 'import', timestamp: MIDNIGHT })
  expect(receivedMoment(lead)).toBe('Monday, 24 November 2025')
  expect(receivedInShort(lead)).toBe('24 November 2025')
  expect(receivedTime(lead)).toBe('')
  expect(csvLine(sheetCells(lead, owners))).toMatch(/^"2025-11-24";"";"Jane Doe"/)
  expect(sheetCells(lead, owners).slice(0, 2)).toEqual(['2025-11-24', undefined])
})

test('any other lead has its time, at midnight too', () => {
  const sent = testLead({ timestamp: MIDNIGHT })
  expect(receivedMoment(sent)).toBe('Monday, 24 November 2025, 00:00')
  expect(receivedInShort(sent)).toBe('24 November 2025, 00:00')
  expect(receivedTime(sent)).toBe('00:00')
  expect(receivedTime(testLead({ leadSource: 'import', timestamp: '2025-11-24T07:30:00.000Z' }))).toBe('09:30')
  expect(csvLine(sheetCells(sent, owners))).toMatch(/^"2025-11-24";"00:00"/)
})
