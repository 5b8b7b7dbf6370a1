import type { FollowUpStatus } from '../follow-up/follow-up.ts'

/** The expected share of won leads in each stage: all of the won ones, none of the lost ones. */
export const STAGE_SHARES: Record<FollowUpStatus, number> = { new: 0.1, contacted: 0.25, quoted: 0.5, won: 1, lost: 0 }

/** The leads of a stage: how many, how many of them have a value, and their total value, in rand. */
export type Stage = { status: FollowUpStatus; leads: number; valued: number; value: number }

/** The expected income from the leads of some stages, in rand: their values weighted by the shares of their stages. */
export const forecastOf = (stages: readonly Stage[]): number =>
  stages.reduce((sum, { status, value }) => sum + value * STAGE_SHARES[status], 0)
