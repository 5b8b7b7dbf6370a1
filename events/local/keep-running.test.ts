import { expect, test, vi } from 'vitest'
import { keepRunning, type Running } from './keep-running.ts'

const WAIT = { timeout: 30_000, interval: 5 }

function startable() {
  const runs: { end: (how: string) => void }[] = []
  const start = async (): Promise<Running> => {
    let end: (how: string) => void = () => {}
    const ended = new Promise<string>((resolve) => {
      end = resolve
    })
    runs.push({ end })
    return { ended, stop: async () => end('stopped') }
  }
  return { runs, start }
}

test('restarts a program that ended by itself, and reports how it ended', async () => {
  const { runs, start } = startable()
  const lines: string[] = []
  const kept = await keepRunning('It', start, (line) => lines.push(line))
  runs[0]?.end('SIGKILL')
  await vi.waitFor(() => expect(runs).toHaveLength(2), WAIT)
  expect(lines).toEqual(['It ended (SIGKILL): starting it again in 0.5 s'])
  await kept.stop()
  expect(runs).toHaveLength(2)
})

test('restarts at once on request', async () => {
  const { runs, start } = startable()
  const lines: string[] = []
  const kept = await keepRunning('It', start, (line) => lines.push(line))
  await kept.restart()
  await vi.waitFor(() => expect(runs).toHaveLength(2), WAIT)
  expect(lines).toEqual([])
  await kept.stop()
})

test('stops while it waits to restart', async () => {
  const { runs, start } = startable()
  const kept = await keepRunning('It', start, () => {})
  runs[0]?.end('exit status 1')
  await kept.stop()
  expect(runs).toHaveLength(1)
})

test('throws if the first start fails', async () => {
  const failing = () => Promise.reject(new Error('No'))
  await expect(keepRunning('It', failing, () => {})).rejects.toThrow('No')
})
