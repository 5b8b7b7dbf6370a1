import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chooseTestServices } from './services-kind.ts'

type ProjectTestOptions = NonNullable<TestProjectInlineConfiguration['test']>

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

// Said here, before Vitest's own first line. Set, so that what is decided once holds for the whole run.
const { kind, line } = chooseTestServices()
process.stdout.write(`${line}\n`)
process.env.TEST_SERVICES = kind
// Node keeps here what it made of the code: the many processes that tests start are up in about half the time
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

/** How long a machine under load may take for what is at once elsewhere; `eventually` waits as long. */
const WAIT_TIMEOUT_MS = 30_000
const TEST_TIMEOUT_MS = 120_000

const common: ProjectTestOptions = {
  root,
  setupFiles: [here('./each-file.ts')],
  pool: 'forks',
  expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
}

export default defineConfig({
  root,
  test: {
    globalSetup: [here('./services.ts')],
    reporters: ['default', here('./processor-report.ts')],
    // postgres.js asks each connection for its types, and nobody can handle the failure of that question where a test kills
    // the server just then (events/log/lost-connections.ts)
    onUnhandledError: (error) => !('query' in error && String(error.query).includes('typarray')),
    projects: [
      {
        extends: false,
        test: {
          ...common,
          name: 'unit and integration',
          include: ['{api,events,web,worker}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.e2e.test.*', '**/*.dom.test.*'],
          maxWorkers: 2, // they wait for Postgres as long as they compute
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: false,
        // Screens and components in a document, without a browser.
        oxc: { jsx: { runtime: 'automatic', importSource: '@emotion/react' } },
        test: {
          ...common,
          name: 'document',
          include: ['web/**/*.dom.test.tsx'],
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
          setupFiles: [here('./each-file.ts'), here('../../web/testing/document.ts')],
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: false,
        // Processes, sockets and browsers: two files at a time, after the others, or they would starve each other.
        test: {
          ...common,
          name: 'end to end',
          include: ['{api,events,web,worker}/**/*.e2e.test.{ts,tsx}'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
