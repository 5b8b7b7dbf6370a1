import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import { asConnection, JOB_METRICS, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import type { RebuildProgress } from '../../events/projections/rebuild.ts'
import { REBUILD_JOB, type ReaderJob, type ReaderQueue, TICK_JOB, wakeAll } from '../../events/projections/wake-ups.ts'
import type { Reader } from './consumer.ts'
import { reasonOf } from './reason.ts'
import { retryDelayMs } from './retry.ts'
import type { ViewReader } from './views.ts'

/**
 * A job of a worker that was killed goes to another one after the first of these at the earliest, and after both
 * together at the latest. A lock that runs out under a worker that lives does no harm: the checkpoint, or the lock of
 * the rebuild in Postgres, keeps two of the same apart.
 */
const LOCK_MS = 10_000
const LOOK_FOR_STALLED_MS = 5_000
/** A job whose worker ended this often counts as failed; a view that lacks is asked for again. */
const MAX_STALLS = 20

const TELL_PROGRESS_MS = 250

/** How long a job waits for a worker that keeps this version of the view, and how often it is handed back for that. */
const HAND_BACK_MS = 250
const MAX_HANDED_BACK = 240

type Jobs = {
  readers: readonly Reader[]
  views: readonly ViewReader[]
  queue: ReaderQueue
  signal: AbortSignal
}

const isOf =
  ({ data }: Job<ReaderJob>) =>
  ({ name, version }: Reader) =>
    name === data.name && version === data.version

const progressOf = (job: Job<ReaderJob>) => {
  let lastTold = 0
  return (progress: RebuildProgress) => {
    const now = performance.now()
    if (now - lastTold < TELL_PROGRESS_MS && progress.position < progress.head) return
    lastTold = now
    job.updateProgress(progress).catch(() => {}) // only shown: Redis, or the job, may be gone
  }
}

const rebuild = async ({ views, signal }: Jobs, job: Job<ReaderJob>, token: string | undefined) => {
  const view = views.find(({ reader }) => isOf(job)(reader))
  if (!view) {
    if (job.attemptsStarted > MAX_HANDED_BACK) throw new UnrecoverableError('no worker keeps this version of the view')
    await job.moveToDelayed(Date.now() + HAND_BACK_MS, token)
    throw new DelayedError()
  }
  try {
    const position = await view.rebuild({ onlyMissing: job.data.onlyMissing ?? false, onProgress: progressOf(job) })
    return { position }
  } catch (error) {
    if (!signal.aborted) throw error
    await job.moveToWait(token)
    throw new WaitingError()
  }
}

/**
 * Takes the jobs of the log's readers: all at once, of which at most one a reader runs. A wake-up of a version that this
 * code does not keep is dropped: the workers that keep it look by themselves. What BullMQ keeps of an error holds nothing
 * personal. `redis` must wait for Redis however long it is away.
 */
export const startReaderJobs = (
  jobs: Jobs,
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): Worker<ReaderJob> => {
  const carryOut = async (job: Job<ReaderJob>, token?: string) => {
    switch (job.name) {
      case TICK_JOB:
        return await wakeAll(jobs.queue).catch((error) => {
          throw new Error(reasonOf(error))
        })
      case REBUILD_JOB:
        return await rebuild(jobs, job, token)
      default:
        return await jobs.readers.find(isOf(job))?.read()
    }
  }
  const worker = new Worker<ReaderJob>(QUEUES.projections, carryOut, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    concurrency: jobs.readers.length + jobs.views.length + 1,
    metrics: JOB_METRICS,
    lockDuration: LOCK_MS,
    stalledInterval: LOOK_FOR_STALLED_MS,
    maxStalledCount: MAX_STALLS,
    settings: { backoffStrategy: (attempts = 1) => retryDelayMs(attempts, Math.random()) },
  })
  worker.on('error', onError)
  return worker
}
