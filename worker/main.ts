import { enableCompileCache } from 'node:module'

// a start takes half the processor time if Node finds the code as it compiled it last (NODE_COMPILE_CACHE)
enableCompileCache()
const { startWorker } = await import('./start-worker.ts')
await startWorker()
