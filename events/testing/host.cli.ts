/**
 * Runs one of the product's processes repeatedly, so that tests do not load its code each time. The parent sends the
 * script and its environment; the script runs as in its own process: with its environment, its signals, a parent to
 * send `ready` to. Instead of ending the process, `process.exit` ends the run: handles that keep the event loop alive
 * after that are leaks, whose names are sent to the parent.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { END_OF_RUN, type RunMessage } from './host.ts'

/** Sockets take a moment to close; ioredis has a timer of 2 s for one that it gave up while it was reconnecting. */
const SETTLE_TIMEOUT_MS = 3_000
const SETTLE_EVERY_MS = 5
const EVENTS = ['SIGTERM', 'SIGINT', 'disconnect', 'unhandledRejection', 'uncaughtException', 'warning'] as const
const STDERR = 2

const leave = process.exit.bind(process)
const resources = () => process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe|File|FSReq)/.test(name))

/** The resources that are there now, and were not before. */
const more = (before: readonly string[]): string[] => {
  const counted = [...before]
  return resources().filter((name) => {
    const index = counted.indexOf(name)
    if (index >= 0) counted.splice(index, 1)
    return index < 0
  })
}

const listeners = () => new Map(EVENTS.map((event) => [event, process.rawListeners(event)]))

const forget = (before: ReturnType<typeof listeners>) => {
  for (const [event, kept] of before) {
    for (const listener of process.rawListeners(event)) {
      if (!kept.includes(listener)) process.off(event, listener as () => void)
    }
  }
}

const settled = async (before: readonly string[]): Promise<string[]> => {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    await delay(SETTLE_EVERY_MS)
    const left = more(before)
    if (left.length === 0 || performance.now() > deadline) return left
  }
}

const run = ({ script, env, number }: RunMessage) => {
  const before = { listeners: listeners(), resources: resources() }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  let hasEnded = false
  process.exit = ((status = 0) => {
    if (hasEnded) return
    hasEnded = true
    settled(before.resources).then((leaks) => {
      forget(before.listeners)
      writeSync(STDERR, END_OF_RUN)
      process.send?.({ type: 'run-ended', status: Number(status), leaks })
    })
  }) as typeof process.exit
  // another address each time: the file itself runs again, and its imports stay loaded
  import(`${pathToFileURL(script)}?run=${number}`).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`, () => leave(1))
  })
}

process.on('message', (message: RunMessage) => {
  if (message.type === 'run') run(message)
})
process.on('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) leave(0)
})
