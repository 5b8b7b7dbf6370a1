import type { FollowUpStatus } from './follow-up.ts'

/** Over how many days back the pipeline may look at the leads that came. */
export const PIPELINE_DAYS = [30, 90, 365] as const

/** What part of the leads of a stage is expected to be won: of what is won all, of what is lost none. */
export const STAGE_SHARES: Record<FollowUpStatus, number> = { new: 0.1, contacted: 0.25, quoted: 0.5, won: 1, lost: 0 }

/** The leads of a stage: how many, how many of them have a value, and what they are worth together, in rand. */
export type Stage = { status: FollowUpStatus; leads: number; valued: number; value: number }

/** What the leads of some stages are expected to bring, in rand: their values by what is expected of their stages. */
export const forecastOf = (stages: readonly Stage[]): number =>
  stages.reduce((sum, { status, value }) => sum + value * STAGE_SHARES[status], 0)
