import { readStream } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { evolveLead, type Lead, leadStreams } from '../lead.ts'

/** How many events of a lead are read: the first ones, far more than staff append before they reply. */
const MAX_LEAD_EVENTS = 1_000

type OwnLead = { lead: Lead; version: number; isErased: boolean }

/** A lead as the log has it, the version of its stream, and whether it was erased; undefined if there is none. */
export const readOwnLead = async (sql: Sql, leadId: string): Promise<OwnLead | undefined> => {
  const events = await readStream(sql, leadStreams.of(leadId), { limit: MAX_LEAD_EVENTS })
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  const isErased = events[0]?.personal === null
  return lead && { lead, version: events.at(-1)?.version ?? 0, isErased }
}
