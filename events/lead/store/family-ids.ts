import { isMissingView, schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { mergedWith } from './merged-leads.ts'
import { leadsProjection } from './view.ts'

/**
 * The ids of a lead and of those merged into it, according to the view. If the view is not ready it is only the lead:
 * staff's work on a lead does not wait for a view.
 */
export const familyIds = async (sql: Sql, leadId: string): Promise<string[]> => {
  try {
    return await mergedWith(sql, schemaOf(leadsProjection), leadId)
  } catch (error) {
    if (isMissingView(error)) return [leadId]
    throw error
  }
}
