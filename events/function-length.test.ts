import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_LINES = 80

/** What the comment above a longer function says, such as "One closure, since each step changes what the others see." */
const REASON = /\b(one closure|long), since /i

const isMeasured = (file: string) =>
  !/\.(test|bench|smoke)\.tsx?$|(^|\/)test-[^/]+\.ts$|^events\/(testing|local)\/|^web\/(content|dist|testing)\//.test(
    file,
  )

const files = globSync('{api,events,web,worker}/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(isMeasured)

// Source is formatted: what begins at the first column is a statement of the file, and ends there.
const FUNCTION = /^(export )?(default )?(async )?(const|function) (?!.*= [[{]$)/
const NEXT = /^(\/|\w)/
const END = /^[}\])](?!.*(=>|[{([])$)/
const COMMENT = /^(\/\*\*| \*|\/\/)/

/** The functions of a source text that are over 80 lines, and have no reason for it directly above. */
const unreasoned = (text: string) => {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    if (!FUNCTION.test(line)) return []
    const end = lines.findIndex((other, index) => index > at && (END.test(other) || NEXT.test(other)))
    const length = end - at + 1
    if (NEXT.test(lines[end] ?? '') || length <= MAX_LINES) return []
    const above = lines.slice(lines.slice(0, at).findLastIndex((other) => !COMMENT.test(other)) + 1, at)
    const comment = above.map((words) => words.replace(/^[/* ]+/, '')).join(' ')
    return REASON.test(comment) ? [] : [`line ${at + 1}: ${length} lines`]
  })
}

test('the lines of a function are counted, and the reason above it is found', () => {
  const body = '  act()\n'.repeat(MAX_LINES)
  const long = `const ONE = 1\n\nexport const open = ({\n  a,\n}: Options) => {\n${body}}\n`
  expect(unreasoned(long)).toEqual([`line 3: ${MAX_LINES + 4} lines`])
  expect(unreasoned(long.replace('export', '/** Opens. One closure, since\n * a is shared. */\nexport'))).toEqual([])
  expect(unreasoned(long.replaceAll(body, '  act()\n'))).toEqual([])
  expect(unreasoned(`const TABLE = {\n${body}}\n`)).toEqual([])
})

test('a function of over 80 lines gives its reason in the comment above', () => {
  const found = files.flatMap((file) =>
    unreasoned(readFileSync(join(ROOT, file), 'utf8')).map((where) => `${file}, ${where}`),
  )
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(500)
})
