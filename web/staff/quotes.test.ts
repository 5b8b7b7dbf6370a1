import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Some texts of the lists are fixed, with straight quotes.
test('staff screens use straight quotes only', () => {
  const files = globSync([
    'web/staff/**/*.{ts,tsx}',
    'web/routes/admin-*/**/*.{ts,tsx}',
    'events/base/unfilled-words.ts',
  ])
  const quoting = files.filter((file) => !file.includes('.test.') && /[\u201c\u201d]/.test(readFileSync(file, 'utf8')))
  expect(quoting).toEqual([])
})
