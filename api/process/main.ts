import './heap.ts'
import { enableCompileCache } from 'node:module'

// a start takes half the processor time where Node finds the code as it compiled it last (NODE_COMPILE_CACHE)
enableCompileCache()
const { runApi } = await import('./run-api.ts')
await runApi()
