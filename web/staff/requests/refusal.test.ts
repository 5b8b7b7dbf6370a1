import * as v from 'valibot'
import { expect, test } from 'vitest'
import { HttpError } from '../../client/http.ts'
import { reasonOf, waitInWords } from './refusal.ts'

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [900, '15 minutes'],
])('%d s are a wait of %s', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})

const thrownBy = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test.each([
  [new TypeError('Failed to fetch'), 'The server did not answer. Try again.'],
  [thrownBy(() => v.parse(v.number(), 'x')), 'The server’s answer could not be read. Reload the page.'],
  [new HttpError(429, '', undefined, 840), 'Too many tries. Try again in 14 minutes.'],
  [new HttpError(429, '', undefined), 'Too many tries. Try again in 1 minute.'],
  [new HttpError(503, '', { detail: 'x' }), 'Temporarily unavailable. Try again in a moment.'],
  [new HttpError(403, '', { detail: 'Only an admin may do this' }), 'Only an admin may do this.'],
  [new HttpError(418, 'teapot', undefined), 'The server did not answer as expected. Try again.'],
])('%s is explained', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
