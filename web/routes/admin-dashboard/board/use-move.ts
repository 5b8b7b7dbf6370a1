import { useState } from 'react'
import type { FollowUp, FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { useMe } from '../../../staff/account/account.ts'
import { changeAndAssign } from '../../../staff/leads/change/change-and-assign.ts'
import { ownershipNote } from '../../../staff/leads/change/ownership.ts'
import { undoAction } from '../../../staff/leads/change/undo-with-toast.ts'
import { type Clash, clashOf } from '../../../staff/leads/conversation/use-follow-up.ts'
import { conflictOf } from '../../../staff/leads/lead.ts'
import { aboutLead } from '../../../staff/leads/list/groups.ts'
import { toastFailure } from '../../../staff/requests/refusal.ts'
import { toast } from '../../../ui/toast/toasts.ts'

/**
 * Changes leads from the board. Each change is based on the lead as it is shown: if a colleague has changed the same
 * since then, `clash` describes it, and nothing is stored until the staff member has chosen.
 */
export const useMove = (refresh: () => Promise<unknown>) => {
  const { data: me } = useMe()
  const [clash, setClash] = useState<Clash>()
  const [isSaving, setSaving] = useState(false)

  const change = async (lead: Lead, wanted: FollowUp, title: string) => {
    setSaving(true)
    try {
      const { eventId, becomesOwner } = await changeAndAssign(lead, wanted, me?.id)
      setClash(undefined)
      toast({
        title,
        about: aboutLead(lead),
        ...ownershipNote(becomesOwner),
        ...undoAction({ leadId: lead.id, eventId, onUndone: refresh }),
      })
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict) setClash(clashOf(wanted, conflict))
      else toastFailure('Not saved', error, aboutLead(lead))
    } finally {
      setSaving(false)
      await refresh()
    }
  }

  return {
    clash,
    isSaving,
    move: (lead: Lead, status: FollowUpStatus) =>
      change(lead, { followUpStatus: status }, `Moved to ${STATUS_NAMES[status]}`),
    setValue: (lead: Lead, projectValue: number | null) => change(lead, { projectValue }, 'Value saved'),
    useMine: () => clash && change(clash.lead, clash.mine, 'Saved'),
    keepTheirs: async () => {
      setClash(undefined)
      await refresh()
    },
  }
}

export type Move = ReturnType<typeof useMove>
