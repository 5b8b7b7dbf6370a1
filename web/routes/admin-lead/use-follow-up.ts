import { useEffect, useReducer, useState } from 'react'
import * as v from 'valibot'
import { contractValue } from '../../../events/lead/contract-value.ts'
import { type FollowUp, fieldsOf, followUpForm, pickFields } from '../../../events/lead/follow-up.ts'
import { type Lead, type LeadConflict, lead as leadSchema } from '../../../events/lead/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { type Day, dayOf, noonOf } from '../../staff/day.ts'
import { Draft } from '../../staff/drafts.tsx'
import { changeAndAssign } from '../../staff/leads/change/change-and-assign.ts'
import { ownershipNote } from '../../staff/leads/change/ownership.ts'
import { undoWithToast } from '../../staff/leads/change/undo-with-toast.ts'
import { conflictOf, undoChange } from '../../staff/leads/lead.ts'
import { toastFailure } from '../../staff/refusal.ts'
import { useUnsaved } from '../../staff/unsaved.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** A colleague's changes, and the change of mine that conflicts with them. */
export type Clash = LeadConflict & { mine: FollowUp; fields: (keyof FollowUp)[] }

/** The follow-up fields of a lead as the API returns it, and its source. */
type Stored = Partial<Pick<Lead, keyof FollowUp | 'leadSource'>>

const without = (change: FollowUp, fields: readonly (keyof FollowUp)[]): FollowUp =>
  pickFields(
    change,
    fieldsOf(change).filter((field) => !fields.includes(field)),
  )

/** Dates as date fields have them: a conversion is on a day while it is edited, and at an instant when it is stored. */
export const asTyped = <Some extends Stored>(stored: Some): Some =>
  stored.conversionDate ? { ...stored, conversionDate: dayOf(stored.conversionDate) } : stored

/** Converts typed fields to those of the API. */
export const asStored = (typed: FollowUp): FollowUp =>
  typed.conversionDate ? { ...typed, conversionDate: noonOf(typed.conversionDate).toISOString() } : typed

/** Whether a lead of this status has a field for its value. */
export const showsValueField = (status: string | undefined) => status === 'quoted' || status === 'won'

/** Whether a lead takes a value: one that it has is shown whatever its status. */
export const hasValueField = (status: string | undefined, value: number | null | undefined) =>
  showsValueField(status) || typeof value === 'number'

/** The edits after one more, all as typed; a field that is back at its former value is not an edit. */
export const withEdit = (edits: FollowUp, edit: FollowUp, before: Stored, today: Day): FollowUp => {
  const next = { ...edits, ...edit }
  const statusBefore = edits.followUpStatus ?? before.followUpStatus
  const status = next.followUpStatus ?? before.followUpStatus
  const firstYear = typeof before.projectValue === 'number' ? null : contractValue(before.leadSource ?? '')
  if (edit.followUpStatus === 'won') {
    // as the API does, to show it before it is saved
    if (!before.conversionDate) next.conversionDate ??= today
    if (firstYear !== null) next.projectValue ??= firstYear
  }
  // the value that was set with "won" is removed with it
  const isValueRemoved =
    statusBefore === 'won' && status !== 'won' && firstYear !== null && next.projectValue === firstYear
  const dropped = [
    ...(hasValueField(status, before.projectValue) && !isValueRemoved ? [] : (['projectValue'] as const)),
    ...(status === 'won' ? [] : (['conversionDate'] as const)),
  ]
  const unchanged = fieldsOf(next).filter((field) => next[field] === before[field])
  return without(next, [...dropped, ...unchanged])
}

/** The conflict of a change of mine with others': the fields that they changed too, and that now differ from mine. */
export const clashOf = (mine: FollowUp, conflict: LeadConflict): Clash => ({
  ...conflict,
  mine,
  fields: fieldsOf(mine).filter(
    (field) => conflict.lead[field] !== mine[field] && conflict.changes.some(({ data }) => field in data),
  ),
})

/**
 * The follow-up of a lead as it is edited, on `base`, the lead as it was when the editing began:
 *
 * - `idle`: nothing is edited, and the fields follow the lead. An edit leads to `edited`.
 * - `restored`: `edits` are those that the device had stored. An edit leads to `edited`.
 * - `edited`: until the edits are sent (`saving`), discarded, or back at the former values (`idle`).
 * - `saving`: `sent` is being sent and counts as saved; later edits are based on it, and are `edited` once it is saved.
 * - `clashing`: a colleague changed the same (`conflict`). The edits are sent again on the lead as it is then, or
 *   discarded.
 *
 * `isOwnerChosen` is whether the owner was chosen, even if it is the same one: the lead may be left unassigned on
 * purpose.
 */
export type Editing = {
  name: 'idle' | 'restored' | 'edited' | 'saving' | 'clashing'
  edits: FollowUp
  sent: FollowUp
  base: Lead | undefined
  isOwnerChosen: boolean
  conflict: LeadConflict | undefined
}

type EditingEvent =
  | { type: 'edited'; edit: FollowUp; lead: Lead; today: Day }
  | { type: 'discarded' }
  | { type: 'sent'; change: FollowUp; base: Lead }
  | { type: 'saved'; lead: Lead }
  | { type: 'refused'; today: Day; conflict: LeadConflict | undefined }

export const IDLE: Editing = {
  name: 'idle',
  edits: {},
  sent: {},
  base: undefined,
  isOwnerChosen: false,
  conflict: undefined,
}

const isAny = (change: FollowUp) => fieldsOf(change).length > 0

/** Without an edit nothing is stored, not even that the owner was chosen. */
const unlessEmpty = (now: Editing): Editing => (isAny(now.edits) || isAny(now.sent) ? now : IDLE)

export const evolveEditing = (now: Editing, event: EditingEvent): Editing => {
  switch (event.type) {
    case 'edited': {
      const base = now.base ?? event.lead
      return unlessEmpty({
        ...now,
        name: now.name === 'saving' || now.name === 'clashing' ? now.name : 'edited',
        edits: withEdit(now.edits, event.edit, { ...asTyped(base), ...now.sent }, event.today),
        base,
        isOwnerChosen: now.isOwnerChosen || event.edit.ownerId !== undefined,
      })
    }
    case 'discarded':
      return IDLE
    case 'sent':
      return { ...now, name: 'saving', edits: {}, sent: event.change, base: event.base }
    case 'saved':
      return unlessEmpty({ ...now, name: 'edited', sent: {}, base: event.lead, conflict: undefined })
    case 'refused': {
      const conflict = event.conflict ?? now.conflict
      const name = conflict ? 'clashing' : 'edited'
      const edits = withEdit(now.sent, now.edits, asTyped(now.base ?? {}), event.today)
      return unlessEmpty({ ...now, name, edits, sent: {}, conflict })
    }
    default:
      event satisfies never
      return now
  }
}

const before = v.pick(leadSchema, ['followUpStatus', 'conversionDate', 'projectValue', 'ownerId', 'nextActionDate'])
const typed = v.object({ ...followUpForm.entries, conversionDate: v.exactOptional(v.nullable(v.string())) })

/** The edits of an account in a lead's follow-up, with its fields before them and the version of the lead. */
const followUpDraft = (accountId: string, leadId: string) =>
  new Draft(
    accountId,
    `lead-${leadId}-follow-up`,
    v.object({
      edits: typed,
      before,
      version: v.pipe(v.number(), v.safeInteger()),
      isOwnerChosen: v.exactOptional(v.boolean()),
    }),
  )

/** The editing of a lead, stored on the device until it is saved or discarded. */
const useEditing = (lead: Lead, accountId: string) => {
  const [draft] = useState(() => followUpDraft(accountId, lead.id))
  const [editing, dispatch] = useReducer(evolveEditing, undefined, (): Editing => {
    const stored = draft.read()
    if (!stored) return IDLE
    const { edits, isOwnerChosen = false, version } = stored
    return unlessEmpty({
      ...IDLE,
      name: 'restored',
      edits,
      base: { ...lead, ...stored.before, version },
      isOwnerChosen,
    })
  })
  const { edits, sent, base, isOwnerChosen } = editing
  useEffect(() => {
    const unsaved = { ...sent, ...edits }
    if (base && isAny(unsaved))
      draft.store({ edits: unsaved, before: v.parse(before, base), version: base.version, isOwnerChosen })
    else draft.discard()
  }, [draft, edits, sent, base, isOwnerChosen])
  useUnsaved(editing.name !== 'idle', { onLeave: draft.discard })
  return { editing, dispatch }
}

/**
 * The editable follow-up of a lead. Edited fields are saved against the lead as it was when the editing began, also
 * after the page was loaded again; the other fields follow the lead as colleagues change it.
 */
export const useFollowUp = (
  lead: Lead,
  { accountId, onSaved }: { accountId: string; onSaved: (lead?: Lead) => void },
) => {
  const { editing, dispatch } = useEditing(lead, accountId)
  const { name, conflict, isOwnerChosen } = editing
  const mine = { ...editing.sent, ...editing.edits }
  const clash = conflict && clashOf(asStored(mine), conflict)
  const isSaving = name === 'saving'
  const today = () => dayOf(serverNow())

  const save = async (change: FollowUp, base: Lead) => {
    if (isSaving) return
    dispatch({ type: 'sent', change, base })
    try {
      const myId = isOwnerChosen ? undefined : accountId
      const { lead: saved, eventId, becomesOwner } = await changeAndAssign(base, asStored(change), myId)
      dispatch({ type: 'saved', lead: saved })
      onSaved(saved)
      toast({
        title: 'Saved',
        ...ownershipNote(becomesOwner),
        variant: 'default',
        ...(eventId && {
          action: { label: 'Undo', run: () => undoWithToast(() => undoChange(lead.id, eventId)).then(() => onSaved()) },
        }),
      })
    } catch (error) {
      const met = conflictOf(error)
      dispatch({ type: 'refused', today: today(), conflict: met })
      if (!met) toastFailure('Not saved', error)
    }
  }

  return {
    values: { ...asTyped(lead), ...mine },
    edit: (edit: FollowUp) => dispatch({ type: 'edited', edit, lead, today: today() }),
    isEdited: name !== 'idle',
    /** Whether all of it was edited before the page was loaded. */
    isRestored: name === 'restored',
    isSaving,
    save: () => save(mine, editing.base ?? lead),
    discard: () => dispatch({ type: 'discarded' }),
    clash,
    /** Saves my fields all the same. */
    useMine: () => clash && save(mine, clash.lead),
    /** Leaves the fields that a colleague changed; my other fields are saved. */
    keepTheirs: async () => {
      if (!clash) return
      const rest = without(mine, clash.fields)
      if (isAny(rest)) return await save(rest, clash.lead)
      dispatch({ type: 'discarded' })
      onSaved(clash.lead)
    },
  }
}
