import type { Queue } from 'bullmq'
import type { Logger } from 'pino'
import { withDeadline } from '../../events/log/deadline.ts'

const LOOK_EVERY_MS = 5_000
const LOOK_DEADLINE_MS = 4_000

/** A schedule whose next job is late by this much has lost it, or nobody takes its jobs: it is made again. */
const LATE_MS = 15_000

/** A job that BullMQ adds again and again, one for all workers. */
export type Schedule = { queue: Pick<Queue, 'getJobScheduler' | 'upsertJobScheduler'>; name: string; everyMs: number }

const ensure = async ({ queue, name, everyMs }: Schedule) => {
  const known = await queue.getJobScheduler(name)
  const isSound = known?.every === everyMs && (known.next ?? 0) > Date.now() - LATE_MS
  if (isSound) return
  const opts = { attempts: 1, removeOnComplete: true }
  await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts })
}

/** The schedules, kept. */
export type KeptSchedules = {
  /** False since the last look could not reach Redis. */
  readonly isRedisUp: boolean
  stop: () => Promise<void>
}

/**
 * Keeps schedules in Redis, which may lose them: each worker makes them at its start, looks every five seconds, and makes
 * again what is not there. `onLook` is called each time Redis answers.
 */
export const keepSchedules = (
  schedules: readonly Schedule[],
  { logger, onLook = async () => {} }: { logger: Pick<Logger, 'warn'>; onLook?: () => Promise<void> },
): KeptSchedules => {
  let isRedisUp = true
  let isLooking = false

  const look = async () => {
    isLooking = true
    try {
      await withDeadline(Promise.all(schedules.map(ensure)), { deadlineMs: LOOK_DEADLINE_MS })
      isRedisUp = true
      await onLook()
    } catch (error) {
      if (isRedisUp)
        logger.warn({ err: error }, 'the schedules could not be looked up: this worker goes by its own clock')
      isRedisUp = false
    } finally {
      isLooking = false
    }
  }

  let looking = look()
  const timer = setInterval(() => {
    if (!isLooking) looking = look()
  }, LOOK_EVERY_MS)
  return {
    get isRedisUp() {
      return isRedisUp
    },
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
