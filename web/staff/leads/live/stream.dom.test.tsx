import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { TestEventSource } from '../../../testing/document.ts'
import { openPart } from '../../../testing/screen.tsx'
import { useAfterLeadChanges } from './after-changes.ts'
import { useLiveWords } from './stream.ts'

const PAUSED = 'Live updates paused: reconnecting.'
const TIMERS = ['setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'] as const

test('A stream that falls silent without closing is detected and opened again within 12 s', async () => {
  vi.useFakeTimers({ toFake: [...TIMERS] })
  const later = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  const changed = vi.fn()
  const Page = () => {
    useAfterLeadChanges(changed)
    return <p>{useLiveWords()}</p>
  }
  openPart(<Page />)
  // the stream of this test's page: a worker that runs several files has set up one for each
  const { opened } = EventSource as unknown as typeof TestEventSource
  const stream = () => opened.get('/api/leads/stream') as TestEventSource
  const first = stream()
  await later(60_000)
  expect(stream()).toBe(first)
  expect(changed).toHaveBeenCalledTimes(1)

  first.fallSilent()
  await later(9_000)
  expect(screen.queryByText(PAUSED)).toBeNull()
  await later(3_000)
  expect(stream()).not.toBe(first)
  expect(first.readyState).toBe(2)
  expect(changed).toHaveBeenCalledTimes(2)
  expect(screen.queryByText(PAUSED)).toBeNull()

  stream().close()
  act(() => void stream().dispatchEvent(new Event('error')))
  screen.getByText(PAUSED)
  await later(6_000)
  expect(screen.queryByText(PAUSED)).toBeNull()
})
