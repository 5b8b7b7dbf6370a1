import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter } from 'vitest/node'

/**
 * Writes the test files that failed into the file FAILED_TEST_FILES, one per line, once a run has ended. It writes
 * nothing if an error belongs to no test: such a run has failed, whichever files pass when they are run again.
 */
export default class FailedFiles implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandledErrors) => {
    const { FAILED_TEST_FILES: path } = process.env
    if (!path || unhandledErrors.length > 0) return
    const failed = modules.filter((module) => !module.ok())
    writeFileSync(path, failed.map(({ moduleId }) => `${relative('', moduleId)}\n`).join(''))
  }
}
