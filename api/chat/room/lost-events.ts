import { isLive, type LiveChatEvent } from '../../../events/chat/store/chat-notifications.ts'
import { LogIntegrityError } from '../../../events/keys/errors.ts'
import { KeyError } from '../../../events/keys/key-ring.ts'
import { readEach, readHead } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import type { Bus } from '../../../events/stores/redis/bus.ts'

const BATCH_EVENTS = 1_000
/** The number of lost events opened at a time, if Redis has lost many. */
const BATCH_LOST = 100

const CHECK_MIN_MS = 10_000
const CHECK_MAX_MS = 25_000
const CHECK_WITHOUT_REDIS_MS = 500
/** After a failed check: between one and three seconds, at random. */
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 3_000

const between = (min: number, max: number) => min + Math.random() * (max - min)

/** An event without its content. */
type Heading = Pick<LiveChatEvent, 'position' | 'stream' | 'version' | 'type'>

type Row = Omit<Heading, 'type'> & { type: string }

const isHeading = (row: Row): row is Heading => isLive(row.type)

type Handling = {
  /** Whether an event was not shown on this node, but must be. */
  isLost: (heading: Heading) => boolean
  apply: (event: LiveChatEvent) => Promise<void>
  /** Compares other data once the log was read; `began` is a time of performance.now(). */
  compare: (began: number) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * One node's reader of the log, for the events that Redis has lost: at the start, on each reconnect, every 10 to 25 s,
 * soon after a failure, and twice a second while Redis is unavailable. Its cost is the new events, however many rooms
 * and clients there are; it opens only the content of lost events. It is resting, checking, or closed.
 */
export class LostEvents {
  readonly #sql: Sql
  readonly #handling: Handling
  #bus: Bus | undefined
  #reached: number | undefined
  #checking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(sql: Sql, handling: Handling) {
    this.#sql = sql
    this.#handling = handling
  }

  /** Starts checking, as often as the state of the bus requires. */
  start(bus: Bus): void {
    this.#bus = bus
    bus.onReconnect(this.#checkNow)
    bus.onDisconnect(this.#checkNow)
    this.#checkNow()
  }

  /** The position up to which all events were applied. The first call reads the head of the log and begins there. */
  async position(): Promise<number> {
    if (this.#reached === undefined) {
      const head = await readHead(this.#sql)
      this.#reached ??= head.position // two calls at once begin at the same position
    }
    return this.#reached
  }

  /** Whether an event is known to have been applied here: a room closed since then may have had it. */
  isPast(position: number): boolean {
    return this.#reached !== undefined && position <= this.#reached
  }

  /** Reads the log now, or waits for a read in progress. Rejects if the log cannot be read: then it is read again. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#checking?.catch(() => {})
  }

  async #check() {
    const began = performance.now()
    await this.readOn()
    await this.#handling.compare(began)
  }

  /** Applies the events of the log after the position. */
  async readOn(): Promise<void> {
    for (;;) {
      const after = await this.position()
      const rows = await this.#sql<Row[]>`
        select position, stream, version, type from events
        where position > ${after} order by position limit ${BATCH_EVENTS}`
      const last = rows.at(-1)
      if (!last) return
      if (last.position !== after + rows.length) throw new LogIntegrityError(`The log has a hole after ${after}`)
      await this.#sql.durable.upTo(last.position) // sockets get only data that survives a crash
      await this.#applyLost(rows.filter(isHeading))
      this.#reached = last.position
      if (rows.length < BATCH_EVENTS) return
    }
  }

  async #applyLost(headings: Heading[]) {
    const { isLost, apply } = this.#handling
    const lost = headings.filter(isLost)
    for (let done = 0; done < lost.length; done += BATCH_LOST) {
      for (const event of await this.#open(lost.slice(done, done + BATCH_LOST))) {
        await apply(event).catch((error) => this.#passOver(error))
      }
    }
  }

  async #open(headings: Heading[]): Promise<LiveChatEvent[]> {
    try {
      const events = (await readEach(this.#sql, headings)) as LiveChatEvent[]
      return events.sort((one, other) => one.position - other.position)
    } catch (error) {
      this.#passOver(error, headings.length === 1)
      if (headings.length === 1) return []
      const parts = await Promise.all(headings.map((heading) => this.#open([heading])))
      return parts.flat()
    }
  }

  /** A chat that this node can never read must not block the other chats. */
  #passOver(error: unknown, isReported = true) {
    if (!(error instanceof KeyError || error instanceof LogIntegrityError)) throw error
    if (isReported) this.#handling.onError(error)
  }

  #rest(pause: number) {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(this.#checkNow, pause)
  }

  readonly #checkNow = () => {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.check().then(
      () => this.#rest(this.#bus?.isUp ? between(CHECK_MIN_MS, CHECK_MAX_MS) : CHECK_WITHOUT_REDIS_MS),
      (error) => {
        this.#handling.onError(error)
        this.#rest(between(RETRY_MIN_MS, RETRY_MAX_MS))
      },
    )
  }
}
