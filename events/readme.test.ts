import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const MOST_WORDS = 1_500

const readme = read('README.md')

/** All that the README quotes as code, or links to. */
const quoted = [...readme.matchAll(/`([^`\n]+)`|\]\(([^)]+)\)/g)].map(([, code, link]) => code ?? link ?? '')

/** Whether something quoted is the path of a file. NAME is for the reader to replace, and x is any name. */
const isFile = (text: string) =>
  /^[\w./-]+\.(tsx?|sh|ya?ml|md|json|conf|png)$/.test(text) && text.includes('/') && !text.includes('NAME')

test('every file that the README names exists', () => {
  const files = quoted.filter(isFile)
  expect(files.length).toBeGreaterThan(80)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('every npm script in the README exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name ?? '')
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})

test('the README explains every variable of the configuration', () => {
  const sources = ['api/config.ts', 'worker/config.ts', 'events/local/start-config.ts'].map(read)
  const variables = sources.flatMap((text) =>
    [...text.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? ''),
  )
  expect(variables).toContain('SESSION_SECRET')
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
  const first = rows.map((row) => row.split('|')[1] ?? '')
  expect([...new Set(variables)].filter((name) => !first.some((cell) => cell.includes(`\`${name}\``)))).toEqual([])
})

test('the README stays short: at most 1,500 words beside tables, code and pictures', () => {
  const text = readme.replace(/^```[\s\S]*?^```$/gm, '').replace(/^(?:\||!\[).*$/gm, '')
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS)
})
