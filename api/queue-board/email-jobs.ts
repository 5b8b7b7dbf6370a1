import type { Job, Queue } from 'bullmq'
import * as v from 'valibot'
import { QUEUES } from '../../events/log/queues.ts'
import { RequestError } from '../errors.ts'

/** How many emails one click asks for again. */
const MAX_ASKED_AT_ONCE = 500

const EMAIL_QUEUES: string[] = [QUEUES.emailService, QUEUES.emailSmtp]

/** The states of jobs of which all can be asked for again at once: what was delivered goes out again one by one only. */
const bulkState = v.picklist(['failed', 'delayed'])

const emailJob = v.object({ eventId: v.pipe(v.string(), v.uuid()) })

/** Whether a queue sends email. */
export const sendsEmail = (queueName: string): boolean => EMAIL_QUEUES.includes(queueName)

/**
 * Takes a job that has ended out of its queue, so that it makes way for the dispatcher's next one, and answers which event
 * its email is of. A job that waits stays: the dispatcher hurries it. Undefined where there is nothing to send again.
 */
const releaseJob = async (job: Job | undefined): Promise<string | undefined> => {
  const data = v.safeParse(emailJob, job?.data)
  if (!job || !data.success) return undefined
  const state = await job.getState()
  if (state === 'active') return undefined
  if (state === 'failed' || state === 'completed') await job.remove()
  return data.output.eventId
}

/** Answers the event whose email a job sends. Throws a RequestError where the job has gone, or is being done. */
export const releaseOne = async (queue: Queue | undefined, jobId: string): Promise<string[]> => {
  const eventId = await releaseJob(await queue?.getJob(jobId))
  if (eventId === undefined)
    throw new RequestError('conflict', 'The job has gone, or is being done just now: look again')
  return [eventId]
}

/** The same for all jobs in one state, the first 500 of them. */
export const releaseAll = async (queue: Queue | undefined, state: string): Promise<string[]> => {
  const wanted = v.safeParse(bulkState, state)
  if (!wanted.success)
    throw new RequestError('not_allowed', 'Only failed and delayed emails are sent again all at once')
  const jobs = (await queue?.getJobs([wanted.output], 0, MAX_ASKED_AT_ONCE - 1)) ?? []
  const eventIds = await Promise.all(jobs.map(releaseJob))
  return eventIds.filter((eventId) => eventId !== undefined)
}
