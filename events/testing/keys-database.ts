import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { migrateKeys } from '../log/migrate.ts'
import { connect } from '../stores/connection.ts'
import { withDatabase } from './database.ts'

/** A database with only the data keys. `url` is that of the user who owns it, without further rights. */
export type TestKeysDatabase = { url: string; drop: () => Promise<void> }

/** Makes an empty database for data keys, with an owner of its own; `migrateKeys` brings it to its schema. */
export async function createEmptyKeysDatabase(): Promise<TestKeysDatabase> {
  const name = `keys_${randomBytes(8).toString('hex')}`
  const server = connect(inject('databaseUrl'), { max: 1, name: 'test' })
  try {
    await server`create role ${server(name)} login password 'keys'`
    await server`create database ${server(name)} owner ${server(name)}`
  } finally {
    await server.end()
  }
  const url = new URL(withDatabase(inject('databaseUrl'), name))
  Object.assign(url, { username: name, password: 'keys' })
  return {
    url: url.href,
    drop: async () => {
      const dropping = connect(inject('databaseUrl'), { max: 1, name: 'test' })
      await dropping`drop database if exists ${dropping(name)} with (force)`
      await dropping`drop role if exists ${dropping(name)}`
      await dropping.end()
    },
  }
}

/** Makes a database for data keys, migrated. */
export async function createKeysDatabase(): Promise<TestKeysDatabase> {
  const database = await createEmptyKeysDatabase()
  await migrateKeys(database.url)
  return database
}
