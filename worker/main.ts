import { enableCompileCache } from 'node:module'

// a start takes half the processor time if Node finds the code as it compiled it last (NODE_COMPILE_CACHE)
enableCompileCache()
const { startOrExit } = await import('../events/process/start-or-exit.ts')
const { readConfig } = await import('./process/config.ts')
const { runWorker } = await import('./run-worker.ts')
await startOrExit(() => runWorker(readConfig()))
