import { useRef, useState } from 'react'
import { CORRECTED_FIELDS, type Correction } from '../../../../events/lead/correction.ts'
import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead, LeadConflict } from '../../../../events/lead/wire.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { fieldErrors } from '../../forms/use-staff-form.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { changeAndAssign } from '../change/change-and-assign.ts'
import { ownershipNote } from '../change/ownership.ts'
import { undoAction } from '../change/undo-with-toast.ts'
import { conflictOf, correctLead } from '../lead.ts'

/** A change of the work on a lead, or of how its person is named and reached. */
export type PropertyChange = FollowUp & Correction

const fieldsIn = (change: PropertyChange) => Object.keys(change) as (keyof PropertyChange)[]

const isCorrection = (change: PropertyChange) => CORRECTED_FIELDS.some((field) => field in change)

/** A colleague's changes, and the change of mine that conflicts with them. */
export type Clash = LeadConflict & { mine: PropertyChange; fields: (keyof PropertyChange)[] }

export const showsValueField = (status: string | undefined) => status === 'quoted' || status === 'won'

/** Whether a lead takes a value: one that it has is shown whatever its status. */
export const hasValueField = (status: string | undefined, value: number | null | undefined) =>
  showsValueField(status) || typeof value === 'number'

/** The conflict of a change of mine with others': the fields that they changed too, and that now differ from mine. */
export const clashOf = (mine: PropertyChange, conflict: LeadConflict): Clash => ({
  ...conflict,
  mine,
  fields: fieldsIn(mine).filter(
    (field) => conflict.lead[field] !== mine[field] && conflict.changes.some(({ data }) => field in data),
  ),
})

const without = (change: PropertyChange, other: PropertyChange): PropertyChange =>
  Object.fromEntries(Object.entries(change).filter(([field, value]) => value !== other[field as keyof PropertyChange]))

/**
 * The properties of a lead, each saved as it is changed, one after the other, with an undo. Values that are being saved
 * are shown already. If a colleague changed the same since, `clash` offers a choice.
 */
export const useProperties = (
  lead: Lead,
  { accountId, onSaved }: { accountId: string; onSaved: (lead?: Lead) => void },
) => {
  const [saving, setSaving] = useState<PropertyChange>({})
  const [clash, setClash] = useState<Clash>()
  const saves = useRef<Promise<unknown>>(Promise.resolve())
  const lastSaved = useRef<Lead>(undefined)

  const send = async (mine: PropertyChange, base: Lead) => {
    if (isCorrection(mine)) return { ...(await correctLead(lead.id, mine, base.version)), becomesOwner: false }
    return await changeAndAssign(base, mine, mine.ownerId === undefined ? accountId : undefined)
  }

  /** Returns the error for the field, if it has one. */
  const save = async (mine: PropertyChange, base: Lead) => {
    try {
      const { lead: saved, eventId, becomesOwner } = await send(mine, base)
      lastSaved.current = saved
      setClash((now) => (now && fieldsIn(mine).some((field) => now.fields.includes(field)) ? undefined : now))
      onSaved(saved)
      toast({
        title: 'Saved',
        ...ownershipNote(becomesOwner),
        ...undoAction({ leadId: lead.id, eventId, onUndone: onSaved }),
      })
    } catch (error) {
      const conflict = conflictOf(error)
      const [first] = fieldErrors(error)
      if (conflict) setClash(clashOf(mine, conflict))
      else if (first) return first.message
      else toastFailure('Not saved', error)
    }
    return undefined
  }

  const change = (mine: PropertyChange, base = lead): Promise<string | undefined> => {
    setSaving((now) => ({ ...now, ...mine }))
    const saveNext = async () => {
      const last = lastSaved.current
      // a correction is based on the lead as it was when its field was opened
      const problem = await save(mine, last && last.version > base.version && !isCorrection(mine) ? last : base)
      setSaving((now) => without(now, mine))
      return problem
    }
    const saved = saves.current.then(saveNext)
    saves.current = saved
    return saved
  }

  return {
    values: { ...lead, ...saving },
    change,
    isSaving: fieldsIn(saving).length > 0,
    clash,
    /** Saves my change all the same. */
    useMine: () => clash && change(clash.mine, clash.lead),
    keepTheirs: () => {
      setClash(undefined)
      onSaved(clash?.lead)
    },
  }
}
