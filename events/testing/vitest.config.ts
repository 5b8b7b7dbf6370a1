import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chooseTestServices } from './services-kind.ts'

type ProjectTestOptions = NonNullable<TestProjectInlineConfiguration['test']>

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

// Printed before Vitest's own first line. Set, so that one decision holds for the whole run.
const { kind, line } = chooseTestServices()
process.stdout.write(`${line}\n`)
process.env.TEST_SERVICES = kind
// Node caches compiled code here: the many processes that tests start are up in about half the time
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

/** How long a machine under load may take for something that is immediate elsewhere; `eventually` waits as long. */
const WAIT_TIMEOUT_MS = 30_000
const TEST_TIMEOUT_MS = 120_000
const SLOW_TEST_TIMEOUT_MS = 600_000

const FOLDERS = '{api,events,web,worker}'

/** The kinds of tests, in the order in which they run. Each worker process runs one file after another. */
const KINDS: (ProjectTestOptions & { name: string; include: string[] })[] = [
  {
    name: 'unit',
    include: [`${FOLDERS}/**/*.test.{ts,tsx}`],
    exclude: ['**/node_modules/**', '**/*.{dom,int,e2e,slow}.test.*'],
  },
  {
    name: 'document',
    include: ['web/**/*.dom.test.tsx'],
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    setupFiles: [here('./each-file.ts'), here('../../web/testing/document.ts')],
  },
  {
    name: 'integration',
    include: [`${FOLDERS}/**/*.int.test.{ts,tsx}`],
    globalSetup: [here('./services.ts')],
    maxWorkers: 4, // they wait for Postgres as long as they compute
  },
  {
    name: 'end to end',
    include: [`${FOLDERS}/**/*.e2e.test.{ts,tsx}`],
    env: { WARM_PROCESSES: 'true' },
    globalSetup: [here('./services.ts')],
    maxWorkers: 4, // as above
  },
  {
    name: 'slow',
    include: [`${FOLDERS}/**/*.slow.test.{ts,tsx}`],
    globalSetup: [here('./services.ts')],
    testTimeout: SLOW_TEST_TIMEOUT_MS,
  },
]

export default defineConfig({
  root,
  test: {
    reporters: ['default', here('./processor-report.ts'), here('./failed-files.ts')],
    // files run in another order each time, so that none relies on an earlier one; Vitest prints the seed
    sequence: { shuffle: { files: true } },
    // postgres.js asks each connection for its types, and no caller can handle the failure of that question if a test
    // kills the server at that time (events/stores/postgres/pool.ts)
    onUnhandledError: (error) => !('query' in error && String(error.query).includes('typarray')),
    projects: KINDS.map((options, index) => ({
      extends: false,
      oxc: { jsx: { runtime: 'automatic', importSource: '@emotion/react' } },
      test: {
        root,
        setupFiles: [here('./each-file.ts')],
        pool: 'forks',
        isolate: false,
        maxWorkers: 2,
        expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
        testTimeout: TEST_TIMEOUT_MS,
        hookTimeout: TEST_TIMEOUT_MS,
        sequence: { groupOrder: index },
        ...options,
      },
    })),
  },
})
