/**
 * Staff flag a lead as spam that passed the filters: it goes into quarantine as a lost one, where it needs no further
 * decision, and out of lists, clocks and figures. A release that undoes this sends nothing: all emails were sent when
 * the lead came.
 */

import * as v from 'valibot'
import { defineEvent } from '../base/definition.ts'
import { leadFollowUpChanged } from './follow-up/follow-up.ts'
import type { Lead, LeadEvent } from './lead.ts'

/** Staff found that a lead was spam. */
export const leadFlagged = defineEvent({
  type: 'LeadFlagged',
  schemaVersion: 1,
  data: v.object({ by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

type Flagging = ReturnType<typeof leadFlagged> | ReturnType<typeof leadFollowUpChanged>

/** The events that flag a lead, the flag last; undefined if it is already flagged. */
export const flagLead = ({
  lead,
  staffId: by,
}: {
  lead: Lead
  staffId: string
}): [Flagging, ...Flagging[]] | undefined => {
  if (lead.suspicion) return undefined
  const flagged = leadFlagged({ by })
  return lead.followUpStatus === 'lost' ? [flagged] : [leadFollowUpChanged({ followUpStatus: 'lost', by }), flagged]
}

/** The event by which staff flagged a lead that they have not released since. */
export const flagInForce = (lead: Lead, events: LeadEvent[]): LeadEvent | undefined =>
  lead.flaggedBy === undefined ? undefined : events.findLast(({ type }) => type === 'LeadFlagged')
