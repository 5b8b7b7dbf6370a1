import { expect, test } from 'vitest'
import { DELIVERY_STATES } from '../../../events/email/email.ts'
import { FILTERS } from '../../routes/admin-email/states.ts'
import { entryInWords } from '../leads/shown/labels.ts'
import { emailStateInWords, isInTrouble } from './email-states.ts'

test('a lead, its timeline and the list use the same name for a state', () => {
  expect(emailStateInWords('rejected')).toBe('Email failed')
  expect(FILTERS.find(({ filter }) => filter === 'rejected')?.label).toBe('Failed')
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
  expect(entryInWords(entry).title).toBe('Email failed')
  expect(entryInWords({ ...entry, data: {} }).title).toBe('Email')
})

test('every state but waiting, delivered or stored in the outbox is trouble', () => {
  expect(DELIVERY_STATES.filter((state) => !isInTrouble(state))).toEqual(['pending', 'delivered', 'outbox'])
  expect(isInTrouble('of a newer node')).toBe(false)
})
