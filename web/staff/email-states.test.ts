import { expect, test } from 'vitest'
import { FILTERS } from '../routes/admin-email/states.ts'
import { emailStateInWords } from './email-states.ts'
import { entryInWords } from './leads/words.ts'

test('a lead, its timeline and the desk call a state the same', () => {
  expect(emailStateInWords('rejected')).toBe('E-mail failed for good')
  expect(FILTERS.find(({ filter }) => filter === 'rejected')?.label).toBe('Failed for good')
  const entry = {
    id: 'id',
    kind: 'email' as const,
    timestamp: '2026-11-18T10:00:00Z',
    by: null,
    leadId: null,
    sessionId: null,
    data: { state: 'rejected' },
    isUndoable: false,
    isUndone: false,
  }
  expect(entryInWords(entry).title).toBe('E-mail failed for good')
  expect(entryInWords({ ...entry, data: {} }).title).toBe('E-mail')
})
