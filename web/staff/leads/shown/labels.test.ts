import { expect, test } from 'vitest'
import type { NewWord } from '../../../../events/base/word.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { counted, entryInWords } from './labels.ts'

const ENTRY: TimelineEntry = {
  id: 'id',
  kind: 'follow_up',
  timestamp: '2026-11-18T10:00:00Z',
  by: null,
  leadId: null,
  sessionId: null,
  data: {},
  isUndoable: false,
  isUndone: false,
}

test('an entry of a kind that only a newer server knows is named by its kind', () => {
  expect(entryInWords({ ...ENTRY, kind: 'proposal_sent' as NewWord })).toEqual({
    title: 'Proposal sent',
    written: [],
    details: [],
  })
})

test('a change to a status that only a newer server knows is shown unchanged', () => {
  const { details } = entryInWords({ ...ENTRY, data: { followUpStatus: 'on_hold' } })
  expect(details).toEqual(['Status: On hold'])
})

test('an email in a state that only a newer server knows is shown unchanged', () => {
  expect(entryInWords({ ...ENTRY, kind: 'email', data: { state: 'held_back' } }).title).toBe('Email held back')
})

test('an undone reply in a chat shows that the chat no longer counts by itself, unless staff had counted it', () => {
  const answer = { ...ENTRY, kind: 'chat_answer', isUndone: true } as const
  expect(entryInWords(answer).details).toEqual(['Messages in this chat no longer count by themselves.'])
  expect(entryInWords({ ...answer, data: { isCounted: true } }).details).toEqual([])
})

test('a large number has commas between its thousands, as an amount does', () => {
  expect(counted(20_000, 'row')).toBe('20,000 rows')
  expect(counted(1, 'row')).toBe('1 row')
})
