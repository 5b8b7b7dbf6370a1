import { randomUUID } from 'node:crypto'
import type { StreamOf } from '../base/definition.ts'
import { catalogue, type NewOf, type RecordedOf } from '../catalogue.ts'
import { LogError } from '../keys/errors.ts'
import { CODE_VERSION } from '../process/code-version.ts'
import { currentContext } from '../process/context.ts'
import type { Appender, Guard } from './append.ts'

const MAX_TRIES = 5

/**
 * The stream that a command appends to, and the version of it that was read: 'any' if the decision does not depend on
 * the stream's events. `guards` are other streams that the decision relies on.
 */
export type Basis<Event> = { stream: StreamOf<Event>; version: number | 'any'; guards?: Guard[] }

type Decided<Event> = NewOf<Event> & { id?: string }

/**
 * The event to append, with its own `id` if a repeated command must find it, or several, stored all or none; undefined
 * if there is nothing to do.
 */
export type Decision<Event> = Decided<Event> | [Decided<Event>, ...Decided<Event>[]] | undefined

/**
 * A command. `read` reads and folds the basis of the decision; `decide` throws to refuse the command. Both are called
 * again if another process was faster. With `isOnce`, a stored event of the same id with other content stays as it is:
 * the command counts as done. With `readsGuards`, `read` reads the versions of the guards itself, and both are called
 * again if a guard fails, too.
 */
export type Command<Event, Known> = {
  read: () => (Known & Basis<Event>) | Promise<Known & Basis<Event>>
  decide: (known: Known & Basis<Event>) => Decision<Event> | Promise<Decision<Event>>
  isOnce?: boolean
  readsGuards?: boolean
}

/**
 * The data that the final decision was based on, and the event, the last of several, if this command or an earlier
 * attempt of it appended one. `isNew`: this attempt did.
 */
export type Handled<Event, Known> = { known: Known & Basis<Event>; appended?: RecordedOf<Event>; isNew: boolean }

const codeOf = (error: unknown) => (error instanceof LogError ? error.code : undefined)

/**
 * Handles a command: reads, decides and appends, and repeats all of it if the stream has moved on during that time, or,
 * with `readsGuards`, if a guard has. Throws the error of the fifth attempt, and any other error at once.
 */
export const handle = async <Event, Known>(
  log: Pick<Appender, 'append'>,
  { read, decide, isOnce = false, readsGuards = false }: Command<Event, Known>,
): Promise<Handled<Event, Known>> => {
  const conflictCodes = readsGuards ? ['wrong_version', 'guard_failed'] : ['wrong_version']
  for (let tries = 1; ; tries += 1) {
    const known = await read()
    const decision = await decide(known)
    if (!decision) return { known, isNew: false }
    const { stream, version, guards = [] } = known
    const decided: Decided<Event>[] = Array.isArray(decision) ? decision : [decision]
    const withIds = decided.map((event) => ({ id: randomUUID(), ...event }))
    try {
      const { events, isDuplicate } = await log.append({ stream, expectedVersion: version, guards, events: withIds })
      const metadata = { ...currentContext(), code: CODE_VERSION }
      const event = withIds.at(-1)
      const schemaVersion = event && catalogue.get(event.type)?.schemaVersion
      const appended = { ...event, ...events.at(-1), stream, schemaVersion, metadata } as unknown as RecordedOf<Event>
      return { known, appended, isNew: !isDuplicate }
    } catch (error) {
      if (isOnce && codeOf(error) === 'event_id_reused') return { known, isNew: false }
      if (!conflictCodes.includes(codeOf(error) ?? '') || tries === MAX_TRIES) throw error
    }
  }
}
