import process from 'node:process'
import { ownerAddress, ownerVariables, parseEnvironment } from '../environment.ts'
import { migrate } from './migrate.ts'
import { assertDirect } from './reach.ts'

try {
  const config = parseEnvironment(ownerVariables)
  const { variable, url } = ownerAddress(config)
  await assertDirect(variable, url)
  await migrate(url, {
    runtimeUrl: config.DATABASE_URL,
    say: (line) => process.stderr.write(`${line}\n`),
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
