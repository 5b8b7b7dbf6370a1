import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const [, list = ''] =
  /^Words that no name contains[^:]*: (.*?)\.\n/ms.exec(readFileSync(join(ROOT, 'events/README.md'), 'utf8')) ?? []

/** The words that the vocabulary excludes from names. */
const BANNED = new Set([...list.matchAll(/`(\w+)`/g)].map(([, word]) => word))

const files = globSync('{api,events,web,worker}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'web/dist/**', 'web/samples/**', '**/testing/**', '**/*.{test,bench,smoke}.*'],
})

type Node = { type: string; start: number; [field: string]: unknown }

const isNode = (value: unknown): value is Node => typeof Object(value).type === 'string'

/** The identifiers that a pattern binds: of `{ a, b: c }` it is `c`, because `a` was declared elsewhere. */
const boundBy = (pattern: unknown): Node[] => {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [pattern]
    case 'ObjectPattern':
      return (pattern.properties as Node[]).flatMap((part) =>
        part.shorthand ? [] : boundBy(part.type === 'Property' ? part.value : part),
      )
    case 'ArrayPattern':
      return (pattern.elements as unknown[]).flatMap(boundBy)
    case 'AssignmentPattern':
      return boundBy(pattern.left)
    case 'RestElement':
      return boundBy(pattern.argument)
    case 'TSParameterProperty':
      return boundBy(pattern.parameter)
    default:
      return []
  }
}

/** The names that a node declares: not the keys of object literals, which may be those of wires and columns. */
const declaredBy = (node: Node): Node[] => {
  if (node.type === 'TSPropertySignature' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
    return boundBy(node.key)
  }
  const isNamed = node.type === 'VariableDeclarator' || /Declaration$|^Function/.test(node.type)
  return [...(isNamed ? boundBy(node.id) : []), ...[node.params ?? []].flat().flatMap(boundBy)]
}

const declarationsIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(declarationsIn)
  if (!isNode(value)) return []
  return [...declaredBy(value), ...Object.values(value).flatMap(declarationsIn)]
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[ _$]+/)

test('names use the words of the vocabulary', () => {
  expect(BANNED.size).toBeGreaterThan(20)
  const offences = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return declarationsIn(parseSync(file, text).program.body)
      .filter(({ name }) => wordsOf(String(name)).some((word) => BANNED.has(word)))
      .map(({ name, start }) => `${file}:${text.slice(0, start).split('\n').length} ${name}`)
  })
  expect(offences).toEqual([])
})
