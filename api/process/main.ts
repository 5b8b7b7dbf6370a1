import './heap.ts'
import { enableCompileCache } from 'node:module'

// a start takes half the processor time if Node finds the code that it compiled last time (NODE_COMPILE_CACHE)
enableCompileCache()
const { runApi } = await import('./run-api.ts')
await runApi()
