import { describe, expect, it, test } from 'vitest'
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
])('the draft %j calls for replies with %j', (draft, term) => {
  expect(calledFor(draft)).toBe(term)
})

describe('canned replies', () => {
  const shortcuts = (term: string) =>
    matchingReplies(DEFAULT_SETTINGS.cannedReplies, term).map(({ shortcut }) => shortcut)

  it('are all there for no term', () => {
    expect(shortcuts('')).toEqual(['hello', 'pricing', 'quote'])
  })

  it('that begin with the term come before those that hold it, in the text too', () => {
    expect(shortcuts('q')).toEqual(['quote'])
    expect(shortcuts('e')).toEqual(['hello', 'pricing', 'quote'])
    expect(shortcuts('p')).toEqual(['pricing', 'hello'])
    expect(shortcuts('r999')).toEqual(['pricing'])
    expect(shortcuts('zzz')).toEqual([])
  })

  it('take the place of what called for them, and stand after anything else', () => {
    expect(withReply('/hel', 'Hello!')).toBe('Hello!')
    expect(withReply('  ', 'Hello!')).toBe('Hello!')
    expect(withReply('Good day. ', 'Hello!')).toBe('Good day. Hello!')
  })
})
