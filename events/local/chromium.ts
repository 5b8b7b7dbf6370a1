import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import * as v from 'valibot'

const run = promisify(execFile)

export type Chromium = {
  executablePath: string
  /** Added to our environment: the paths of its libraries and fonts. */
  env: Record<string, string>
  version: string
}

const PROBE_TIMEOUT_MS = 20_000
const UNPACK_TIMEOUT_MS = 120_000
const NPM_PACKAGE = '@sparticuz/chromium'
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // pages of one site share a process, which is started once
  '--renderer-process-limit=1',
]

/** Opens a headless browser for a test, with additional flags if given; the caller closes it. */
export async function launchBrowser(flags: string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    args: [...FLAGS, ...flags],
    env: { ...processEnvironment(), ...env },
    // it ends by itself when its pipe closes, however the process that launched it ends
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}

/**
 * Finds a browser that runs here: `$CHROMIUM`, else the one of the npm package (unpacked once, into
 * `node_modules/.cache`), else `/usr/bin/chromium`.
 *
 * @throws with the failure of each.
 */
export async function findChromium(): Promise<Chromium> {
  const failures: string[] = []
  const candidates = [
    { name: '$CHROMIUM', locate: async () => atPath(process.env.CHROMIUM) },
    { name: NPM_PACKAGE, locate: fromNpm },
    { name: '/usr/bin/chromium', locate: async () => atPath('/usr/bin/chromium') },
  ]
  for (const { name, locate } of candidates) {
    try {
      const found = await locate()
      if (found !== undefined) return { ...found, version: await probe(found) }
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
  throw new Error(`No browser for the tests; set CHROMIUM to one. ${failures.join('; ')}`)
}

type Candidate = Omit<Chromium, 'version'>

function atPath(executablePath: string | undefined): Candidate | undefined {
  return executablePath ? { executablePath, env: {} } : undefined
}

async function probe({ executablePath, env }: Candidate): Promise<string> {
  const options = { env: { ...process.env, ...env }, timeout: PROBE_TIMEOUT_MS }
  return (await run(executablePath, ['--version'], options)).stdout.trim()
}

/**
 * The package unpacks into the temporary folder of its process, and adds libraries and fonts only if its environment
 * names its own platform: hence a separate process. Renamed when complete, so that two runs at once do no harm.
 */
async function fromNpm(): Promise<Candidate> {
  const packageFile = join(MODULES, NPM_PACKAGE, 'package.json')
  const { version } = v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(packageFile, 'utf8')))
  const folder = join(MODULES, '.cache', `chromium-${version}-${process.arch}`)
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`
    mkdirSync(fresh, { recursive: true })
    try {
      await run(
        process.execPath,
        ['--input-type=module', '--eval', `await (await import('${NPM_PACKAGE}')).default.executablePath()`],
        {
          cwd: dirname(MODULES),
          env: { ...process.env, TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
          timeout: UNPACK_TIMEOUT_MS,
        },
      )
      writeFileSync(join(fresh, 'fonts.conf'), fontConfiguration(folder))
      renameSync(fresh, folder)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      if (!existsSync(folder)) throw error
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** The one in the package makes Chromium crash outside its platform. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`
}

function processEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
