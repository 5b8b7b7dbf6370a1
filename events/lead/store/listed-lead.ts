import type { Queryable } from '../../log/read.ts'
import type { Lead } from '../lead.ts'
import type { LeadRow } from './view.ts'

/** A lead as the view stores it. `lead` has the fields that it shows, `own` those of its own stream. */
export type StoredLead = Omit<LeadRow, 'search'> & { hasOthers: boolean }

/** The columns of a StoredLead. */
export const storedColumns = (tx: Queryable) => tx`
  lead, coalesce(own, lead) as own, merge, own is not null as "hasOthers", position, changed_position as "changedPosition"`

/** The columns of a lead as lists show it. */
export const listedColumns = (tx: Queryable) => tx`lead, own is not null as "hasMerged"`

/** A lead as lists show it: its shown fields, and whether others were merged into it. */
export const listedLead = ({ lead, hasMerged }: { lead: Lead; hasMerged: boolean }): Lead =>
  hasMerged ? { ...lead, hasMerged } : lead
