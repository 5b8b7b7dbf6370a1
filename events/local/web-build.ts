import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const STAMP = 'web/dist/built-from'
/** The pages import the files of `events` that run in browsers, which are in these folders themselves. */
const SHARED = 'events/{.,base,chat,email,lead,settings,staff,webhook}/*.ts'
const SOURCES = ['web/**/*', SHARED, 'package-lock.json']

/** Builds the web pages unless those in `web/dist` were built from the same sources. */
export async function buildWebIfStale(root: string): Promise<void> {
  const digest = digestOfSources(root)
  const stamp = join(root, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  await build(root)
  writeFileSync(stamp, digest)
}

function digestOfSources(root: string): string {
  const hash = createHash('sha256')
  const exclude = ['web/dist/**', 'web/testing/**', '**/*.test.*', '**/*.bench.*']
  const files = globSync(SOURCES, { cwd: root, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** The output of the build is shown only if it fails. */
function build(root: string): Promise<void> {
  const child = spawn(process.execPath, ['web/pages/build.ts'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data))
  child.stderr.on('data', (data: Buffer) => output.push(data))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      if (status === 0) resolve()
      else reject(new Error(`The web pages could not be built:\n${Buffer.concat(output).toString().trim()}`))
    })
  })
}
