import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const MAX_README_BYTES = 8_192

const documents = globSync(['README.md', '{api,events,web,worker}/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'web/dist/**'],
})
const writtenByHand = documents.filter((file) => file !== 'events/local/bench/bench.md')

/** The paths that a document quotes as code. NAME is for the reader to replace, and x is any name. */
const quotedFiles = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.(?:tsx?|sh|ya?ml|md|json|conf|png))`/g)]
    .map(([, path]) => path ?? '')
    .filter((path) => path.includes('/') && !path.includes('NAME'))

/** The files that a document links to, as paths from the root. */
const linkedFiles = (document: string, text: string) =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => normalize(join(dirname(document), path ?? '')))

test.each(writtenByHand)('%s names only files that exist', (document) => {
  const text = read(document)
  const isThere = (path: string) => [path, join(dirname(document), path)].some((each) => existsSync(join(ROOT, each)))
  expect([...quotedFiles(text), ...linkedFiles(document, text)].filter((path) => !isThere(path))).toEqual([])
})

test.each(writtenByHand)('%s names only npm scripts that exist', (document) => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read(document).matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name ?? '')
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('the operations guide explains every variable of the configuration', () => {
  const sources = ['api/node/config.ts', 'worker/process/config.ts', 'events/local/start-config.ts'].map(read)
  const variables = sources.flatMap((text) =>
    [...text.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? ''),
  )
  expect(variables).toContain('SESSION_SECRET')
  const rows = read('api/OPERATIONS.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const first = rows.map((row) => row.split('|')[1] ?? '')
  expect([...new Set(variables)].filter((name) => !first.some((cell) => cell.includes(`\`${name}\``)))).toEqual([])
})

test('the README has at most 8 kB', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES)
})
