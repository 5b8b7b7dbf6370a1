import { execFile } from 'node:child_process'
import process from 'node:process'
import { TEST_ENVIRONMENT } from './process.ts'

const TIMEOUT_MS = 60_000

/** Runs one of the product's commands to its end, with only this environment. */
export const runTestCli = (
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ status: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const options = { env: { ...TEST_ENVIRONMENT, ...env }, timeout: TIMEOUT_MS }
    const child = execFile(process.execPath, [script, ...args], options, (_, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    )
  })
