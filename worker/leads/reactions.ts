import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import type { LogConsumer } from '../../events/consumers/acting-consumers.ts'
import type { Appender } from '../../events/log/append.ts'
import { contextCausedBy, runWith } from '../../events/process/context.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { actOnLog } from '../consumers/act-on-log.ts'
import type { PassOver } from '../consumers/pass-over.ts'

/** Older events are ignored: when a rule is new, no old lead changes under its owner. */
const LOOKED_AT_FOR_MS = 7 * 24 * 60 * 60 * 1000

/**
 * The dependencies of a reaction: it reads by `sql`, appends to `log`, and passes over leads whose data key is lost.
 */
export type Reacting = { sql: Sql; log: Pick<Appender, 'append'>; passOver: PassOver }

/** A rule that changes leads because of events around them. */
type Reaction<E extends AnyRecordedEvent> = {
  /** Personal parts of its events stay closed. */
  consumer: LogConsumer
  concerns: (event: AnyRecordedEvent) => event is E
  /** The lead of each event that has one, by the event's stream. */
  leadsOf: (events: readonly E[]) => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>
  /** Does it for a lead; to do it twice changes nothing. */
  react: (leadId: string, event: E) => Promise<unknown>
}

/**
 * Reads the next part of the log after the checkpoint of a reaction, and reacts to the events of the last seven days
 * before `now`. A lead that cannot be read, because its data key is lost, delays no other. Returns whether there may be
 * more.
 */
export const reactToLog = <E extends AnyRecordedEvent>(
  { sql, passOver }: Pick<Reacting, 'sql' | 'passOver'>,
  { consumer, concerns, leadsOf, react }: Reaction<E>,
  now: Date,
): Promise<boolean> =>
  actOnLog(sql, consumer, { opened: [] }, async (events) => {
    const since = now.getTime() - LOOKED_AT_FOR_MS
    const recent = events.filter(concerns).filter(({ recordedAt }) => recordedAt.getTime() >= since)
    const leads = await leadsOf(recent)
    for (const event of recent) {
      const leadId = leads.get(event.stream)
      if (leadId === undefined) continue
      await runWith(contextCausedBy(event, consumer.name), () => react(leadId, event)).catch((error) =>
        passOver({ leadId }, error),
      )
    }
    return undefined
  })
