import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from 'bullmq'
import * as v from 'valibot'
import type { ConsumerKey } from '../../events/log/checkpoints.ts'
import { withDeadline } from '../../events/log/deadline.ts'
import type { RebuildProgress } from '../../events/projections/rebuild.ts'
import { askForRebuild, type ReaderJob, type ReaderQueue } from '../../events/projections/wake-ups.ts'

const LOOK_EVERY_MS = 200
const ANSWER_WITHIN_MS = 5_000

/** How long the job may wait for a worker at first, and after one that had begun it was lost. */
const BEGIN_WITHIN_MS = 10_000
const GO_ON_WITHIN_MS = 60_000

const progressSchema = v.object({ position: v.number(), head: v.number() })
const resultSchema = v.object({ position: v.optional(v.number()) })

const within = <T>(work: Promise<T>) => withDeadline(work, { deadlineMs: ANSWER_WITHIN_MS })

/** Removes a job that no worker has begun. Returns false if one has begun it just now. */
const takeBack = (job: Job<ReaderJob>) =>
  job.remove().then(
    () => true,
    () => false,
  )

/**
 * Has a worker rebuild a view, and tells how far it has come. Answers the position that the view reached; undefined where
 * no worker does it: none runs, or Redis is away or has lost the job. Throws where the rebuild failed for good.
 */
export const rebuildByWorker = async (
  queue: ReaderQueue,
  view: ConsumerKey,
  onProgress: (progress: RebuildProgress) => void,
): Promise<number | undefined> => {
  let jobId: string | undefined
  let waitsUntil = performance.now() + BEGIN_WITHIN_MS
  for (;;) {
    try {
      jobId ??= (await within(askForRebuild(queue, view))).id ?? ''
      const job = await within(queue.getJob(jobId))
      const state = await job?.getState()
      if (!job || state === 'failed') return undefined
      if (state === 'completed') {
        const { position } = v.parse(resultSchema, job.returnvalue)
        if (position !== undefined) return position
        jobId = undefined // it was to fill only missing tables, and none was missing
        continue
      }
      if (state === 'active') {
        waitsUntil = performance.now() + GO_ON_WITHIN_MS
        const progress = v.safeParse(progressSchema, job.progress)
        if (progress.success) onProgress(progress.output)
      } else if (performance.now() > waitsUntil && (await takeBack(job))) return undefined
    } catch {
      // a machine under load may be late with one answer
      if (performance.now() > waitsUntil) {
        if (jobId) await within(queue.remove(jobId)).catch(() => {}) // Redis may have taken it late
        return undefined
      }
    }
    await delay(LOOK_EVERY_MS)
  }
}
