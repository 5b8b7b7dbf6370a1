import { agencyDay, startOfDay } from '../base/agency-day.ts'
import type { LeadSource } from './kind.ts'

/** Where a lead came from that was imported. */
export const IMPORT_SOURCE = 'import' satisfies LeadSource

/** Whether only the day is known on which a lead came: a row of a file with a date alone counts from where its day begins. */
export const isDayAlone = ({ leadSource, timestamp }: { leadSource: string; timestamp: string }): boolean =>
  leadSource === IMPORT_SOURCE && Date.parse(timestamp) === startOfDay(agencyDay(new Date(timestamp))).getTime()
