import { agencyDay } from '../../base/agency-day.ts'
import { leadStreams } from '../../lead/lead.ts'
import { type Queryable, readStreams } from '../../log/read.ts'
import { evolveLife, LIFE_TYPES, type Life, NO_LIFE } from '../life.ts'
import { contractStreams } from '../signed-copy.ts'

/** The life of a contract, as the log has it. */
export const readLife = async (sql: Queryable, leadId: string): Promise<Life> => {
  const [steps, [erased]] = await Promise.all([
    readStreams(sql, [contractStreams.of(leadId)], { types: LIFE_TYPES }),
    readStreams(sql, [leadStreams.of(leadId)], { types: ['LeadErased'] }),
  ])
  const erasedOn = erased ? agencyDay(erased.recordedAt) : null
  return steps.reduce(evolveLife, { ...NO_LIFE, erasedOn })
}
