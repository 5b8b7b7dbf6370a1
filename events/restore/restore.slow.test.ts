import { inject } from 'vitest'
import { findDumpMeans } from '../testing/backup.ts'
import { FILES, testRestores, withKeyFile } from '../testing/restores.ts'

testRestores([FILES, ...(await findDumpMeans(inject('databaseUrl'))).map(withKeyFile)])
