import { agencyDay, startOfDay } from '../base/agency-day.ts'
import type { LeadSource } from './form/kind.ts'

/** The source of imported leads. */
export const IMPORT_SOURCE = 'import' satisfies LeadSource

/**
 * Whether only the day on which a lead came is known: a row of a file with a date alone counts from the beginning of
 * its day.
 */
export const isDayAlone = ({ leadSource, timestamp }: { leadSource: string; timestamp: string }): boolean =>
  leadSource === IMPORT_SOURCE && Date.parse(timestamp) === startOfDay(agencyDay(new Date(timestamp))).getTime()
