import { learnEvents, raiseLeadsView } from '../../events/testing/next-version.ts'

// For tests: an API node of the next version.

learnEvents()
raiseLeadsView()
await import('../process/main.ts')
