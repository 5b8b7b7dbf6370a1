import { type Queryable, readStreams } from '../../log/read.ts'
import { evolveLife, LIFE_TYPES, type Life, NO_LIFE } from '../life.ts'
import { contractStreams } from '../signed-copy.ts'

/** The life of a contract, as the log has it. */
export const readLife = async (sql: Queryable, leadId: string): Promise<Life> =>
  (await readStreams(sql, [contractStreams.of(leadId)], { types: LIFE_TYPES })).reduce(evolveLife, NO_LIFE)
