import { createHash } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
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

/** The kinds of tests, in the order in which they begin: the longest files first, so that no processor waits for the last. */
const KINDS: (ProjectTestOptions & { name: string; include: string[] })[] = [
  {
    name: 'end to end',
    include: [`${FOLDERS}/**/*.e2e.test.{ts,tsx}`],
    env: { WARM_PROCESSES: 'true' },
    globalSetup: [here('./services.ts')],
  },
  {
    name: 'integration',
    include: [`${FOLDERS}/**/*.int.test.{ts,tsx}`],
    globalSetup: [here('./services.ts')],
  },
  {
    name: 'document',
    include: ['web/**/*.dom.test.tsx'],
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    setupFiles: [here('./each-file.ts'), here('../../web/testing/document.ts')],
  },
  {
    name: 'unit',
    include: [`${FOLDERS}/**/*.test.{ts,tsx}`],
    exclude: ['**/node_modules/**', '**/*.{dom,int,e2e,slow}.test.*'],
  },
  {
    name: 'slow',
    include: [`${FOLDERS}/**/*.slow.test.{ts,tsx}`],
    globalSetup: [here('./services.ts')],
    testTimeout: SLOW_TEST_TIMEOUT_MS,
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  },
]

/** Kind after kind, so that a worker process can run many files; in another order each time, so that no file relies on another. */
class KindByKind extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const keyOf = ({ project, moduleId }: TestSpecification) => {
      const kind = KINDS.findIndex(({ name }) => name === project.name)
      return kind + createHash('md5').update(`${seed}${moduleId}`).digest('hex')
    }
    return files.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
}

export default defineConfig({
  root,
  test: {
    reporters: ['default', here('./processor-report.ts'), here('./failed-files.ts')],
    // Vitest prints the seed
    sequence: { shuffle: { files: true }, sequencer: KindByKind },
    // postgres.js asks each connection for its types, and no caller can handle the failure of that question if a test
    // kills the server at that time (events/stores/postgres/pool.ts)
    onUnhandledError: (error) => !('query' in error && String(error.query).includes('typarray')),
    projects: KINDS.map((options) => ({
      extends: false,
      oxc: { jsx: { runtime: 'automatic', importSource: '@emotion/react' } },
      test: {
        root,
        setupFiles: [here('./each-file.ts')],
        pool: 'forks',
        isolate: false,
        maxWorkers: 5, // they wait for one another, for Postgres and the browser nearly as long as they compute
        expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
        testTimeout: TEST_TIMEOUT_MS,
        hookTimeout: TEST_TIMEOUT_MS,
        ...options,
      },
    })),
  },
})
