import type { Lead } from '../../../../events/lead/wire.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { reasonInWords } from './quarantine.ts'

/** Why a lead is in quarantine, and which staff member put it there, if any. */
export const FlagReasons = ({ lead }: { lead: Lead }) => {
  const { data: colleagues } = useColleagues()
  if (lead.flaggedBy === undefined) return lead.suspicion?.map(reasonInWords).join(' ')
  const by = colleagues?.find(({ id }) => id === lead.flaggedBy)?.displayName ?? FORMER_COLLEAGUE
  return colleagues && `Marked as spam by ${by}.`
}
