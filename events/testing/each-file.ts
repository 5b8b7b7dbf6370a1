// Vitest's set-up file: it runs before each test file.
import process from 'node:process'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { processorTimeOfTree } from './processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** On a file: the processor time that it took, with all that it started, in seconds. */
    processorSeconds?: number
  }
}

/** A worker runs one file after another: each file counts from the end of the one before. */
const counted = globalThis as { countedProcessorSeconds?: number }

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a hook wants from its pattern
afterAll(({}, file) => {
  const total = processorTimeOfTree(process.pid)
  file.meta.processorSeconds = total - (counted.countedProcessorSeconds ?? 0)
  counted.countedProcessorSeconds = total
})

// Vitest itself fails a run on an unhandled rejection; a console.error fails the test that it happens in.
beforeEach(() => {
  vi.spyOn(console, 'error')
})

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls
  vi.mocked(console.error).mockRestore()
  if (calls.length > 0)
    throw new Error(`The test called console.error: ${calls.map((args) => args.join(' ')).join('\n')}`)
})
