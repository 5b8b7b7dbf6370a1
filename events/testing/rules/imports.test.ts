import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDERS = ['api', 'worker', 'web', 'events'] as const

/** The folders of test support: no production code imports them. */
const TEST_SUPPORT = /^(api|events|web|worker)\/testing\//

/** The part of events that every process of Node.js begins with, and browsers lack. */
const isOfProcesses = (file: string) => file.startsWith('events/process/')

/** The one file that returns the package's version reads it where it is declared. */
const isManifest = ({ from, to }: Import) => from === 'events/process/code-version.ts' && to === 'package.json'

/** The part of web that runs in Node.js: it may import those too. */
const isWebServerFile = (file: string) => /^web\/(pages\/|[^/]+$)/.test(file)

/** The folders of events that need Node.js; all others are pure, so that browsers may load them. */
const NODE_FOLDERS =
  /^events\/(.+\/)?(store|stores|keys|process|log|projections|consumers|erasure|restore|local|testing)\//

type Import = { from: string; to: string }

const isTest = (file: string) => /\.(test|bench|smoke)\.tsx?$/.test(file)
const isLocal = (file: string) => file.startsWith('events/local/')
const isTestSupport = (file: string) => TEST_SUPPORT.test(file)
const isProduction = (file: string) => !isTest(file) && !isLocal(file) && !isTestSupport(file)
const isPureEvents = (file: string) => file.startsWith('events/') && !NODE_FOLDERS.test(file)
const folderOf = (file: string) => FOLDERS.find((folder) => file.startsWith(`${folder}/`))

const FROM = /(?:^|[\n;}])\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?(['"])(.+?)\1/g
const CALL = /\bimport\s*\(\s*(['"`])(.+?)\1/g

/** The imports of a source text, also those of types. */
const importsOf = (text: string): string[] => {
  const code = text.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...code.matchAll(FROM), ...code.matchAll(CALL)].map((match) => match[2] ?? '')
}

const files = globSync(`{${FOLDERS.join()}}/**/*.{ts,tsx,js,mjs}`, { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/^web\/dist\/|\/node_modules\//.test(file) && file !== 'events/testing/rules/imports.test.ts')
  .sort()

const inRepository = (from: string, name: string) => normalize(join(dirname(from), name)).replaceAll('\\', '/')

/** The files that a file loads when it is loaded itself: no types, and nothing that it loads later. */
const loadedBy = (file: string) => {
  const code = readFileSync(join(ROOT, file), 'utf8').replace(/^(import|export) type [^'"]*/gm, '')
  return importsOf(code.replace(CALL, '')).flatMap((name) => (name.startsWith('.') ? [inRepository(file, name)] : []))
}

const names = (file: string, packages: RegExp) =>
  importsOf(readFileSync(join(ROOT, file), 'utf8')).some((name) => packages.test(name))

const imports: Import[] = files.flatMap((from) =>
  importsOf(readFileSync(join(ROOT, from), 'utf8'))
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ from, to: inRepository(from, name) })),
)

/** The folders that a folder may import, besides itself. */
const allowed = (from: string, to: string): string | undefined => {
  const [importer, imported] = [folderOf(from), folderOf(to)]
  if (!imported) return `${importer} may import ${FOLDERS.join(', ')} and packages: nothing else of the repository`
  if (importer === imported) return undefined
  switch (importer) {
    case 'events':
      return 'events imports no other folder: move what both need into events'
    case 'api':
    case 'worker':
      return imported === 'events' ? undefined : `${importer} may import events: what both need belongs there`
    case 'web': {
      if (isPureEvents(to) || (!isProduction(from) && (isLocal(to) || isTestSupport(to)))) return undefined
      if (isWebServerFile(from) && isOfProcesses(to)) return undefined
      return `web may import the pure folders of events (events/process only where it runs in Node.js)`
    }
    default:
      return 'only api, events, web and worker import each other'
  }
}

const complaints = (rule: (each: Import) => string | undefined) =>
  imports.flatMap((each) => {
    const complaint = rule(each)
    return complaint ? [`${each.from} imports ${each.to}: ${complaint}`] : []
  })

test('imports are found in source text, in every form', () => {
  const text = `
    import './style.css'
    import type { A } from './a.ts'
    import b, { type B,
      C } from "../b.ts"
    import * as d from './d.ts'
    export { e } from './e.ts'
    export * from './f.ts'
    // import './comment.ts'
    /* import './block.ts' */
    const g = await import('./g.ts')
    type H = import('./h.ts').H
    export const from = 'not an import'; import { i } from './i.ts'
    const text = 'from ./j.ts'`
  const expected = ['./style.css', './a.ts', '../b.ts', './d.ts', './e.ts', './f.ts', './g.ts', './h.ts', './i.ts']
  expect(importsOf(text).sort()).toEqual(expected.sort())
  expect(imports.length).toBeGreaterThan(100)
  expect(new Set(files.map(folderOf))).toEqual(new Set(FOLDERS))
})

/** The circles of a graph of imports, each as its path. */
const circlesOf = (nodes: readonly string[], nextOf: (node: string) => readonly string[]): string[] => {
  const circles: string[] = []
  const done = new Set<string>()
  const follow = (node: string, path: string[]) => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' > '))
    if (done.has(node) || path.includes(node)) return
    for (const next of nextOf(node)) follow(next, [...path, node])
    done.add(node)
  }
  for (const node of nodes) follow(node, [])
  return circles
}

test('no file imports itself through others', () => {
  expect(circlesOf(files, (file) => loadedBy(file).filter((next) => files.includes(next)))).toEqual([])
})

test('no folder of events imports itself through others', () => {
  const folderIn = (file: string) => /^events\/.+(?=\/)/.exec(file)?.[0] ?? ''
  const edges = imports
    .filter(({ from, to }) => [from, to].every((file) => isProduction(file) && folderIn(file)))
    .map(({ from, to }) => [folderIn(from), folderIn(to)] as const)
    .filter(([from, to]) => from !== to)
  const folders = [...new Set(edges.flat())]
  const importedBy = (folder: string) => [...new Set(edges.flatMap(([from, to]) => (from === folder ? [to] : [])))]
  expect(circlesOf(folders, importedBy)).toEqual([])
})

test('api and worker import only events, web its pure files, and events no other folder', () => {
  expect(complaints((each) => (isManifest(each) ? undefined : allowed(each.from, each.to)))).toEqual([])
})

test('the pure files of events import each other and packages, nothing that browsers lack', () => {
  const rule = ({ from, to }: Import) =>
    isPureEvents(from) && isProduction(from) && !isPureEvents(to)
      ? `a pure file may import pure files only (NODE_FOLDERS)`
      : undefined
  expect(complaints(rule)).toEqual([])
  const nodeImports = files.filter((file) => isPureEvents(file) && isProduction(file) && names(file, /^node:/))
  expect(nodeImports).toEqual([])
})

test('production code imports no local services, no tests and no test support', () => {
  const rule = ({ from, to }: Import) => {
    if (!isProduction(from)) return undefined
    if (isLocal(to)) return 'only events/local itself and tests may import events/local'
    if (isTest(to)) return 'a test is imported by nobody: move what both need into a file of its own'
    if (isTestSupport(to)) return 'only tests may import this'
    return undefined
  }
  expect(complaints(rule)).toEqual([])
  const testPackages = /^(vitest|fast-check|testcontainers|playwright-core)(\/|$)/
  expect(files.filter((file) => isProduction(file) && names(file, testPackages))).toEqual([])
})

/** The folder of the second level that a file is in, or of the first if it is directly there. */
const roomOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/')

test('a folder imports only the folders that its README names', () => {
  const unnamed = new Set<string>()
  for (const { from, to } of imports) {
    const [room, other] = [roomOf(from), roomOf(to)]
    const readme = join(ROOT, room, 'README.md')
    if (room === other || isManifest({ from, to }) || !isProduction(from) || !existsSync(readme)) continue
    const [, list] = /^Imports: ([\s\S]*?\.)$/m.exec(readFileSync(readme, 'utf8')) ?? []
    if (list && !list.includes(`\`${other}\``)) unnamed.add(`${room}/README.md does not name ${other}`)
  }
  expect([...unnamed]).toEqual([])
})
