import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { databaseUrl, parseEnvironment } from '../events/environment.ts'
import { connect, type Sql } from '../events/log/connection.ts'
import { migrate } from '../events/log/migrate.ts'
import { MIN_PASSWORD_CHARACTERS } from '../events/staff.ts'
import { addStaff, changePassword, listStaff, removeStaff } from './staff-account.ts'

const USAGE = 'Usage: npm run staff -- add NAME | list | passwd NAME | remove NAME'
const GENERATED_PASSWORD_BYTES = 12
const USERNAME = /^\S{1,100}$/

const say = (line: string) => process.stdout.write(`${line}\n`)

const silence = new Writable({ write: (_chunk, _encoding, done) => done() })

/** A line from a pipe, or typed without being shown; the end of the input is an empty line. */
const readSecret = async (prompt: string) => {
  const { stdin } = process
  if (stdin.isTTY) process.stdout.write(prompt)
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY })
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  if (stdin.isTTY) process.stdout.write('\n')
  return line
}

/** A password from the terminal or a pipe; an empty line asks for a generated one, which is then shown. */
const askPassword = async () => {
  const typed = await readSecret('Password (not shown; empty: generate one): ')
  if (typed === '') {
    const generated = randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url')
    say(`Password: ${generated}`)
    return generated
  }
  if (typed.length >= MIN_PASSWORD_CHARACTERS) return typed
  throw new Error(`A password has at least ${MIN_PASSWORD_CHARACTERS} characters`)
}

const nothingCalled = (name: string) => new Error(`There is no account ${name}`)

const run = async (sql: Sql, [command, name, ...rest]: string[]) => {
  if (rest.length > 0) throw new Error(USAGE)
  if (command === 'list' && name === undefined) {
    const accounts = await listStaff(sql)
    for (const { username, createdAt } of accounts) say(`${username}  since ${createdAt.toISOString().slice(0, 10)}`)
    return
  }
  if (name === undefined) throw new Error(USAGE)
  if (!USERNAME.test(name)) throw new Error('A username has 1 to 100 characters and no spaces')
  switch (command) {
    case 'add':
      if (!(await addStaff(sql, name, await askPassword(), 'agent')))
        throw new Error(`There is an account ${name} already`)
      return say(`Added ${name}`)
    case 'passwd':
      if (!(await changePassword(sql, name, await askPassword()))) throw nothingCalled(name)
      return say(`Changed the password of ${name}; its sessions end`)
    case 'remove':
      if (!(await removeStaff(sql, name))) throw nothingCalled(name)
      return say(`Removed ${name}; its sessions end`)
    default:
      throw new Error(USAGE)
  }
}

try {
  const config = parseEnvironment({ DATABASE_URL: databaseUrl })
  await migrate(config.DATABASE_URL)
  const sql = connect(config.DATABASE_URL, { max: 1, name: 'staff' })
  await run(sql, process.argv.slice(2)).finally(() => sql.end({ timeout: 1 }))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
