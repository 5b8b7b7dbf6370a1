import { afterEach, beforeEach, vi } from 'vitest'

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
