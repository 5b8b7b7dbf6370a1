import process from 'node:process'
import { learnEvents, raiseLeadsView } from '../../events/testing/next-version.ts'

// For tests: a worker of the next version. With KEEP_VIEWS it knows the new events, and maintains the views of this
// version.

learnEvents()
if (process.env.KEEP_VIEWS === undefined) raiseLeadsView()
await import('../main.ts')
