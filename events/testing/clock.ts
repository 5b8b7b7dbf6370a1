import { setTimeout as delay } from 'node:timers/promises'
import { addDays, agencyDay, startOfDay } from '../base/agency-day.ts'

/** Longer than a test file takes that speaks of today. */
const NEAR_MS = 100_000

/** Waits until midnight has passed at the agency if it is near, so that today stays today for a test file. */
export const passMidnight = async (): Promise<void> => {
  const now = new Date()
  const leftMs = startOfDay(addDays(agencyDay(now), 1)).getTime() - now.getTime()
  if (leftMs < NEAR_MS) await delay(leftMs)
}
