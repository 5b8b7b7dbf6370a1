import { FILE_BACKUP } from '../testing/backup.ts'
import { testRestores } from '../testing/restores.ts'

// The other ways to back up are in restore.slow.test.ts.

testRestores([FILE_BACKUP])
