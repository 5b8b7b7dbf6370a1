import { describe, expect, it, test } from 'vitest'
import { chatReplies } from '../../../events/settings/replies.ts'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { calledFor, matchingReplies, withReply } from './canned.ts'

test.each([
  ['/', ''],
  ['/Pri', 'pri'],
  ['/two-words', 'two-words'],
  ['', undefined],
  [' /', undefined],
  ['/not this', undefined],
  ['1/2', undefined],
])('the draft %j asks for replies with %j', (draft, term) => {
  expect(calledFor(draft)).toBe(term)
})

describe('canned replies', () => {
  const shortcuts = (term: string) =>
    matchingReplies(chatReplies(DEFAULT_SETTINGS.replies), term).map(({ shortcut }) => shortcut)

  it('are all listed for no term', () => {
    expect(shortcuts('')).toEqual(['hello', 'pricing', 'quote'])
  })

  it('that begin with the term come before those that contain it, in the text too', () => {
    expect(shortcuts('q')).toEqual(['quote'])
    expect(shortcuts('e')).toEqual(['hello', 'pricing', 'quote'])
    expect(shortcuts('p')).toEqual(['pricing', 'hello'])
    expect(shortcuts('r999')).toEqual(['pricing'])
    expect(shortcuts('zzz')).toEqual([])
  })

  it('replace the text that asked for them, and are inserted after any other text', () => {
    expect(withReply('/hel', 'Hello!')).toBe('Hello!')
    expect(withReply('  ', 'Hello!')).toBe('Hello!')
    expect(withReply('Good day. ', 'Hello!')).toBe('Good day. Hello!')
  })
})
