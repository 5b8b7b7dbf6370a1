import { isMissingView, schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { mergedWith } from './merged-leads.ts'
import { leadsProjection } from './view.ts'

/**
 * The ids of a lead and of those merged into it, as far as the view knows. Where the view is not there yet it is the lead
 * alone: what staff do with a lead does not wait for a view.
 */
export const familyIds = async (sql: Sql, leadId: string): Promise<string[]> => {
  try {
    return await mergedWith(sql, schemaOf(leadsProjection), leadId)
  } catch (error) {
    if (isMissingView(error)) return [leadId]
    throw error
  }
}
