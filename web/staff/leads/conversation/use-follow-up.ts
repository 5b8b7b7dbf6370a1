import { useRef, useState } from 'react'
import { type FollowUp, fieldsOf, pickFields } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead, LeadConflict } from '../../../../events/lead/wire.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { changeAndAssign } from '../change/change-and-assign.ts'
import { ownershipNote } from '../change/ownership.ts'
import { undoAction } from '../change/undo-with-toast.ts'
import { conflictOf } from '../lead.ts'

/** A colleague's changes, and the change of mine that conflicts with them. */
export type Clash = LeadConflict & { mine: FollowUp; fields: (keyof FollowUp)[] }

export const showsValueField = (status: string | undefined) => status === 'quoted' || status === 'won'

/** Whether a lead takes a value: one that it has is shown whatever its status. */
export const hasValueField = (status: string | undefined, value: number | null | undefined) =>
  showsValueField(status) || typeof value === 'number'

/** The conflict of a change of mine with others': the fields that they changed too, and that now differ from mine. */
export const clashOf = (mine: FollowUp, conflict: LeadConflict): Clash => ({
  ...conflict,
  mine,
  fields: fieldsOf(mine).filter(
    (field) => conflict.lead[field] !== mine[field] && conflict.changes.some(({ data }) => field in data),
  ),
})

const without = (change: FollowUp, other: FollowUp): FollowUp =>
  pickFields(
    change,
    fieldsOf(change).filter((field) => change[field] !== other[field]),
  )

/**
 * The follow-up of a lead, each field saved as it is changed, one after the other, with an undo. Values that are being
 * saved are shown already. If a colleague changed the same since, `clash` offers a choice.
 */
export const useFollowUp = (
  lead: Lead,
  { accountId, onSaved }: { accountId: string; onSaved: (lead?: Lead) => void },
) => {
  const [saving, setSaving] = useState<FollowUp>({})
  const [clash, setClash] = useState<Clash>()
  const saves = useRef(Promise.resolve())
  const lastSaved = useRef<Lead>(undefined)

  const save = async (mine: FollowUp, base: Lead) => {
    try {
      const myId = mine.ownerId === undefined ? accountId : undefined
      const { lead: saved, eventId, becomesOwner } = await changeAndAssign(base, mine, myId)
      lastSaved.current = saved
      setClash((now) => (now && fieldsOf(mine).some((field) => now.fields.includes(field)) ? undefined : now))
      onSaved(saved)
      toast({
        title: 'Saved',
        ...ownershipNote(becomesOwner),
        ...undoAction({ leadId: lead.id, eventId, onUndone: onSaved }),
      })
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict) setClash(clashOf(mine, conflict))
      else toastFailure('Not saved', error)
    }
  }

  const change = (mine: FollowUp, base = lead) => {
    setSaving((now) => ({ ...now, ...mine }))
    const saveNext = async () => {
      const last = lastSaved.current
      await save(mine, last && last.version > base.version ? last : base)
      setSaving((now) => without(now, mine))
    }
    saves.current = saves.current.then(saveNext)
  }

  return {
    values: { ...lead, ...saving },
    change,
    isSaving: fieldsOf(saving).length > 0,
    clash,
    /** Saves my change all the same. */
    useMine: () => clash && change(clash.mine, clash.lead),
    keepTheirs: () => {
      setClash(undefined)
      onSaved(clash?.lead)
    },
  }
}
