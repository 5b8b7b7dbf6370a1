import { useRef, useState } from 'react'
import { type FollowUp, fieldsOf, pickFields } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/lead.ts'
import { dayOf, noonOf } from '../../staff/leads/day.ts'
import { type Conflict, changeLead, conflictOf, undoVersion } from '../../staff/leads/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** What a colleague's changes are against, and the change of mine that met them. */
export type Clash = Conflict & { mine: FollowUp; fields: (keyof FollowUp)[] }

const without = (change: FollowUp, fields: readonly (keyof FollowUp)[]): FollowUp =>
  pickFields(
    change,
    fieldsOf(change).filter((field) => !fields.includes(field)),
  )

/** The edits after one more; a field that is back at what it was is no edit. */
export const withEdit = (edits: FollowUp, edit: FollowUp, before: FollowUp, today: string): FollowUp => {
  const next = { ...edits, ...edit }
  const isWon = (next.followUpStatus ?? before.followUpStatus) === 'won'
  if (edit.followUpStatus === 'won' && !before.conversionDate) next.conversionDate ??= noonOf(today).toISOString()
  const dropped = isWon ? [] : (['conversionDate', 'projectValue'] as const)
  const unchanged = fieldsOf(next).filter((field) => next[field] === before[field])
  return without(next, [...dropped, ...unchanged])
}

/** Where a change of mine meets others': the fields that they changed too, and now are not as I want them. */
export const clashOf = (mine: FollowUp, conflict: Conflict): Clash => ({
  ...conflict,
  mine,
  fields: fieldsOf(mine).filter(
    (field) => conflict.lead[field] !== mine[field] && conflict.changes.some(({ data }) => field in data),
  ),
})

const failed = (error: unknown, title: string) => {
  console.warn(`${title}:`, error)
  toast({ title, description: 'The server did not answer as expected. Try again.', variant: 'destructive' })
}

/**
 * The follow-up of a lead as it is edited. Fields that nobody edits follow the lead as colleagues change it; those of mine
 * are saved against the lead as it stood when the editing began.
 */
export const useFollowUp = (lead: Lead, { onSaved }: { onSaved: (lead?: Lead) => void }) => {
  const [edits, setEdits] = useState<FollowUp>({})
  const [base, setBase] = useState<Lead>()
  const [clash, setClash] = useState<Clash>()
  const [isSaving, setSaving] = useState(false)
  const isBusy = useRef(false)

  const edit = (change: FollowUp) => {
    const next = withEdit(edits, change, base ?? lead, dayOf(new Date()))
    setEdits(next)
    setBase(fieldsOf(next).length > 0 ? (base ?? lead) : undefined)
  }
  const discard = () => {
    setEdits({})
    setBase(undefined)
    setClash(undefined)
  }

  const undo = async (version: number) => {
    try {
      await undoVersion(lead.id, version)
      toast({ title: 'Taken back', variant: 'default' })
    } catch (error) {
      failed(error, 'The change was not taken back')
    }
    onSaved()
  }

  const save = async (change: FollowUp, version: number) => {
    if (isBusy.current) return
    isBusy.current = true
    setSaving(true)
    try {
      const saved = await changeLead(lead.id, change, version)
      discard()
      onSaved(saved)
      toast({
        title: 'Saved',
        variant: 'default',
        ...(saved.version > version && { action: { label: 'Undo', run: () => undo(saved.version) } }),
      })
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict) setClash(clashOf(change, conflict))
      else failed(error, 'Not saved')
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }

  return {
    values: { ...lead, ...edits },
    edit,
    isEdited: fieldsOf(edits).length > 0,
    isSaving,
    save: () => save(edits, (base ?? lead).version),
    discard,
    clash,
    /** Saves what is mine all the same. */
    useMine: () => clash && save(clash.mine, clash.lead.version),
    /** Lets the fields that a colleague changed be; what else I changed is saved. */
    keepTheirs: async () => {
      if (!clash) return
      const rest = without(clash.mine, clash.fields)
      if (fieldsOf(rest).length > 0) return await save(rest, clash.lead.version)
      discard()
      onSaved(clash.lead)
    },
  }
}
