import { execFileSync } from 'node:child_process'
import { GenericContainer, Wait } from 'testcontainers'
import { REDIS_DATABASES } from '../local/redis.ts'
import { isAlive } from './folders.ts'
import type { TestServices } from './services.ts'
import { postgresImage, redisImage } from './services-kind.ts'

/** Holds the process number of the test run that a container belongs to. */
const OWNER_LABEL = 'agency-site.tests'
const PASSWORD = 'test'

/**
 * Starts both images through Testcontainers. Its own cleaner is an image that is not available everywhere, so
 * containers are removed here: at the end, when this process gets a signal to end, and those of dead runs at the next
 * start.
 */
export async function startTestContainers(settings: string[]): Promise<TestServices> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  removeContainersOf((owner) => !isAlive(owner))
  const removeOurs = () => removeContainersOf((owner) => owner === process.pid)
  const leave = (signal: NodeJS.Signals) => {
    removeOurs()
    process.kill(process.pid, signal)
  }
  process.once('exit', removeOurs)
  process.once('SIGTERM', leave)

  const labels = { [OWNER_LABEL]: String(process.pid) }
  const [postgres, redis] = await Promise.all([
    new GenericContainer(postgresImage)
      .withLabels(labels)
      .withEnvironment({ POSTGRES_PASSWORD: PASSWORD })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
      .withTmpFs({ '/var/lib/postgresql': 'rw' })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready -h 127.0.0.1'))
      .start(),
    new GenericContainer(redisImage)
      .withLabels(labels)
      .withCommand(['redis-server', '--databases', String(REDIS_DATABASES), '--maxmemory-policy', 'noeviction'])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
      .start(),
  ])
  return {
    databaseUrl: `postgres://postgres:${PASSWORD}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
    redisUrl: `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`,
    stop: async () => {
      process.off('exit', removeOurs)
      process.off('SIGTERM', leave)
      removeOurs()
    },
  }
}

function removeContainersOf(isMeant: (owner: number) => boolean): void {
  const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' })
  const rows = docker(
    'ps',
    '--all',
    '--filter',
    `label=${OWNER_LABEL}`,
    '--format',
    `{{.ID}} {{.Label "${OWNER_LABEL}"}}`,
  )
  const ids = rows
    .split('\n')
    .map((row) => row.split(' '))
    .filter(([id, owner]) => id !== '' && isMeant(Number(owner)))
    .map(([id]) => String(id))
  if (ids.length > 0) docker('rm', '--force', '--volumes', ...ids)
}
