import { leadsProjection } from '../../events/projections/leads.ts'
import { mergedWith } from '../../events/projections/merged-leads.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { isMissingView } from '../errors.ts'
import type { ApiNode } from '../node.ts'

/**
 * The ids of a lead and of those merged into it, as far as the view knows. Where the view is not there yet it is the lead
 * alone: what staff do with a lead does not wait for a view.
 */
export const familyIds = async ({ sql }: ApiNode, leadId: string): Promise<string[]> => {
  try {
    return await mergedWith(sql, schemaOf(leadsProjection), leadId)
  } catch (error) {
    if (isMissingView(error)) return [leadId]
    throw error
  }
}
