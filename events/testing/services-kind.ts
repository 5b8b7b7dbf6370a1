import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

export type TestServicesKind = 'local' | 'containers'

export const postgresImage = process.env.TEST_POSTGRES_IMAGE || 'postgres:18-alpine'
export const redisImage = process.env.TEST_REDIS_IMAGE || 'redis:8-alpine'

/** The folder of an installed Postgres that tests run on in place of the one from npm; its `bin` is the variable's. */
export const installedPostgres = process.env.TEST_POSTGRES_BIN ? dirname(process.env.TEST_POSTGRES_BIN) : undefined

const DOCKER_TIMEOUT_MS = 10_000

/**
 * Chooses the Postgres and Redis of the tests: containers if Docker runs and both images are available, else the
 * embedded ones. `TEST_SERVICES` forces one; forced containers with a missing image are an error. `TEST_POSTGRES_BIN`
 * is the folder of the programs of an installed Postgres, to run in place of the embedded one.
 */
export function chooseTestServices(): { kind: TestServicesKind; line: string } {
  const forced = process.env.TEST_SERVICES || undefined
  if (forced !== undefined && forced !== 'local' && forced !== 'containers') {
    throw new Error(`TEST_SERVICES cannot be used: expected "local" or "containers", got "${forced}"`)
  }
  if (installedPostgres !== undefined && forced !== 'containers') {
    return { kind: 'local', line: `Tests run on the Postgres in ${installedPostgres} and local Redis` }
  }
  const embedded = 'Tests run on embedded Postgres and local Redis'
  if (forced === 'local') return { kind: 'local', line: `${embedded} (TEST_SERVICES=local)` }
  const obstacle = containersObstacle()
  if (obstacle === undefined) {
    return { kind: 'containers', line: `Tests run on containers: ${postgresImage} and ${redisImage}` }
  }
  if (forced === 'containers') throw new Error(`TEST_SERVICES=containers: ${obstacle}`)
  return { kind: 'local', line: `${embedded} (no containers: ${obstacle})` }
}

function containersObstacle(): string | undefined {
  if (!dockerSucceeds('info', '--format', '{{.ServerVersion}}')) return 'Docker does not run here'
  const missing = [postgresImage, redisImage].filter((image) => !dockerSucceeds('image', 'inspect', image))
  return missing.length === 0 ? undefined : `docker pull ${missing.join(' and ')} first`
}

function dockerSucceeds(...args: string[]): boolean {
  try {
    execFileSync('docker', args, { stdio: 'ignore', timeout: DOCKER_TIMEOUT_MS })
    return true
  } catch {
    return false
  }
}
