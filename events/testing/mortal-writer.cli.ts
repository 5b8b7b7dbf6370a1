import process from 'node:process'
import { openAppender } from '../log/append.ts'
import { TEST_KEYS } from './keys.ts'
import { numberedRequest } from './numbered-requests.ts'

// A writer that is to be killed: `mortal-writer.cli.ts <database url> <name> <callers> <requests of each>`. It sends
// its parent each result: the ids and their positions. Only its parent ends it.

const [databaseUrl = '', name = '', callers = '1', requests = '1'] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const appender = openAppender(databaseUrl, { keys: TEST_KEYS })

const call = async (caller: string) => {
  for (let number = 0; number < Number(requests); number++) {
    const { events } = await appender.append(numberedRequest(caller, number))
    process.send?.(events.map(({ id, position }) => [id, position]))
  }
}

await Promise.all(Array.from({ length: Number(callers) }, (_, index) => call(`${name}-${index}`)))
