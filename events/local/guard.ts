import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

/**
 * Runs its command and ends it once standard input closes: the kernel closes our end of that pipe however we die, so
 * that even `kill -9` leaves nothing running. $1 is the signal that asks, $2 the one that forces after $3 tenths of a
 * second.
 */
const GUARD = `
ask=$1 insist=$2 patience=$3; shift 3
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{
  read -r line <&3
  kill -s "$ask" $child
  while [ $patience -gt 0 ] && kill -0 $child; do sleep 0.1; patience=$((patience - 1)); done
  kill -s "$insist" $child
} 2>/dev/null >/dev/null &
watcher=$!
wait $child
status=$?
kill $watcher 2>/dev/null
exit $status
`

const STOP_TIMEOUT_TENTHS = 80

export type Guarded = {
  /** Asks the program to stop and settles once it has. May be called again. */
  stop: () => Promise<void>
  /** Settles with the reason once the program has ended, for any reason. */
  ended: Promise<string>
  hasEnded: () => boolean
}

export type GuardedCommand = {
  command: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** The user to run as, if not ours. */
  user?: { uid: number; gid: number } | undefined
  /** Receives the program's output; overwritten at each start. */
  logFile: string
  stopSignal: 'INT' | 'TERM'
  lastSignal: 'QUIT' | 'KILL'
}

/** Starts a program that ends with us, in its own group so that the terminal's Ctrl-C does not reach it first. */
export function startGuarded(guarded: GuardedCommand): Guarded {
  const log = openSync(guarded.logFile, 'w', 0o600)
  const { stopSignal, lastSignal, command, args } = guarded
  const guard = spawn(
    '/bin/sh',
    ['-c', GUARD, 'guard', stopSignal, lastSignal, String(STOP_TIMEOUT_TENTHS), command, ...args],
    { cwd: guarded.cwd, env: guarded.env, detached: true, stdio: ['pipe', log, log], ...guarded.user },
  )
  closeSync(log)
  guard.stdin?.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    guard.once('exit', (status, signal) => resolve(signal ?? `exit status ${status}`))
    guard.once('error', (error) => resolve(error.message))
  })
  let isOver = false
  void ended.then(() => {
    isOver = true
    guard.stdin?.destroy()
  })
  return {
    ended,
    hasEnded: () => isOver,
    stop: async () => {
      guard.stdin?.end()
      await ended
    },
  }
}

/** The last line of a log that matches, or else its last line: shown to a person when a program has ended. */
export function lastWords(logFile: string, pattern: RegExp): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  return lines.findLast((line) => pattern.test(line)) ?? lines.at(-1) ?? ''
}
