import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { contractValue } from '../../../events/contract-value.ts'
import { type FollowUp, fieldsOf, followUpForm, pickFields } from '../../../events/follow-up.ts'
import { type Lead, type LeadConflict, lead as leadSchema } from '../../../events/wire/lead.ts'
import { serverNow } from '../../server-time.ts'
import { staffDraft } from '../../staff/drafts.ts'
import { type Day, dayOf, noonOf } from '../../staff/leads/day.ts'
import { conflictOf, undoChange } from '../../staff/leads/lead.ts'
import { ownedNote } from '../../staff/leads/owned.ts'
import { changeAndTake } from '../../staff/leads/taking.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** What a colleague's changes are against, and the change of mine that met them. */
export type Clash = LeadConflict & { mine: FollowUp; fields: (keyof FollowUp)[] }

/** The follow-up fields of a lead as a page gets it, and where it came from. */
type Standing = Partial<Pick<Lead, keyof FollowUp | 'leadSource'>>

const without = (change: FollowUp, fields: readonly (keyof FollowUp)[]): FollowUp =>
  pickFields(
    change,
    fieldsOf(change).filter((field) => !fields.includes(field)),
  )

/** Dates as date fields have them: a conversion is on a day while it is edited, and at an instant where it is stored. */
export const asTyped = <Stored extends Standing>(stored: Stored): Stored =>
  stored.conversionDate ? { ...stored, conversionDate: dayOf(stored.conversionDate) } : stored

/** What was typed, as the API takes it. */
export const asStored = (typed: FollowUp): FollowUp =>
  typed.conversionDate ? { ...typed, conversionDate: noonOf(typed.conversionDate).toISOString() } : typed

/** From when on a lead is asked for its value. */
export const asksValue = (status: string | undefined) => status === 'quoted' || status === 'won'

/** Whether a lead takes a value: one that it has stays in sight whatever its status. */
export const takesValue = (status: string | undefined, value: number | null | undefined) =>
  asksValue(status) || typeof value === 'number'

/** The edits after one more, all as typed; a field that is back at what it was is no edit. */
export const withEdit = (edits: FollowUp, edit: FollowUp, before: Standing, today: Day): FollowUp => {
  const next = { ...edits, ...edit }
  const statusBefore = edits.followUpStatus ?? before.followUpStatus
  const status = next.followUpStatus ?? before.followUpStatus
  const firstYear = typeof before.projectValue === 'number' ? null : contractValue(before.leadSource ?? '')
  if (edit.followUpStatus === 'won') {
    // as the API does, so that it is seen before it is saved
    if (!before.conversionDate) next.conversionDate ??= today
    if (firstYear !== null) next.projectValue ??= firstYear
  }
  // the value that came with "won" goes with it
  const isTakenBack =
    statusBefore === 'won' && status !== 'won' && firstYear !== null && next.projectValue === firstYear
  const dropped = [
    ...(takesValue(status, before.projectValue) && !isTakenBack ? [] : (['projectValue'] as const)),
    ...(status === 'won' ? [] : (['conversionDate'] as const)),
  ]
  const unchanged = fieldsOf(next).filter((field) => next[field] === before[field])
  return without(next, [...dropped, ...unchanged])
}

/** Where a change of mine meets others': the fields that they changed too, and now are not as I want them. */
export const clashOf = (mine: FollowUp, conflict: LeadConflict): Clash => ({
  ...conflict,
  mine,
  fields: fieldsOf(mine).filter(
    (field) => conflict.lead[field] !== mine[field] && conflict.changes.some(({ data }) => field in data),
  ),
})

const failed = (error: unknown, title: string) => {
  console.warn(`${title}:`, error)
  toast({ title, description: reasonOf(error), variant: 'destructive' })
}

const undo = async (leadId: string, eventId: string) => {
  try {
    await undoChange(leadId, eventId)
    toast({ title: 'Undone', variant: 'default' })
  } catch (error) {
    failed(error, 'The change was not undone')
  }
}

/**
 * `edits` are made on `base`, with what is under way to the API, `sent`, as if it had arrived. `isOwnerChosen` says that
 * somebody has chosen the owner, and be it the one before: they may leave the lead to nobody on purpose.
 */
type Draft = { edits: FollowUp; sent: FollowUp; base: Lead | undefined; isOwnerChosen: boolean }

export const NOTHING: Draft = { edits: {}, sent: {}, base: undefined, isOwnerChosen: false }

const isAny = (change: FollowUp) => fieldsOf(change).length > 0

/** Without anything edited nothing is left of a draft, not even that the owner was chosen. */
const unlessEmpty = (draft: Draft): Draft => (isAny(draft.edits) || isAny(draft.sent) ? draft : NOTHING)

/** A draft after one more edit of the lead as it is shown. */
export const editDraft = (
  { edits, sent, base, isOwnerChosen }: Draft,
  edit: FollowUp,
  lead: Lead,
  today: Day,
): Draft => {
  const on = base ?? lead
  return unlessEmpty({
    edits: withEdit(edits, edit, { ...asTyped(on), ...sent }, today),
    sent,
    base: on,
    isOwnerChosen: isOwnerChosen || edit.ownerId !== undefined,
  })
}

/** A draft once all that was sent of it is stored: what was edited meanwhile is made on the lead as it is then. */
export const draftOnceSaved = (now: Draft, saved: Lead): Draft => unlessEmpty({ ...now, sent: {}, base: saved })

/** A draft once what was sent of it was refused: that is edited still, with what was edited meanwhile. */
export const draftOnceRefused = (now: Draft, sent: FollowUp, base: Lead, today: Day): Draft =>
  unlessEmpty({ ...now, edits: withEdit(sent, now.edits, asTyped(base), today), sent: {}, base })

const standing = v.pick(leadSchema, ['followUpStatus', 'conversionDate', 'projectValue', 'ownerId', 'nextActionDate'])
const typed = v.object({ ...followUpForm.entries, conversionDate: v.exactOptional(v.nullable(v.string())) })

/** What an account has edited of a lead's follow-up, with what was there then and in which version. */
export const followUpDraft = (accountId: string, leadId: string) =>
  staffDraft(
    accountId,
    `lead-${leadId}-follow-up`,
    v.object({
      edits: typed,
      before: standing,
      version: v.pipe(v.number(), v.safeInteger()),
      isOwnerChosen: v.exactOptional(v.boolean()),
    }),
  )

/** What is edited of a lead, also after the page was loaded again: it is kept until it is saved or discarded. */
const useKeptDraft = (lead: Lead, accountId: string) => {
  const [kept] = useState(() => followUpDraft(accountId, lead.id))
  const [restored] = useState<Draft>(() => {
    const before = kept.read()
    if (!before) return NOTHING
    const { edits, isOwnerChosen = false, version } = before
    return { edits, sent: {}, base: { ...lead, ...before.before, version }, isOwnerChosen }
  })
  const [draft, setDraft] = useState(restored)
  useEffect(() => {
    const { edits, sent, base, isOwnerChosen } = draft
    const unsaved = { ...sent, ...edits }
    if (base && isAny(unsaved))
      kept.keep({ edits: unsaved, before: v.parse(standing, base), version: base.version, isOwnerChosen })
    else kept.discard()
  }, [draft, kept])
  return { draft, setDraft, isRestored: draft === restored }
}

/**
 * The follow-up of a lead as it is edited. Fields that nobody edits follow the lead as colleagues change it; those of mine
 * are saved against the lead as it stood when the editing began, also after the page was loaded again. What is edited while
 * something is being saved stays.
 */
export const useFollowUp = (
  lead: Lead,
  { accountId, onSaved }: { accountId: string; onSaved: (lead?: Lead) => void },
) => {
  const { draft, setDraft, isRestored } = useKeptDraft(lead, accountId)
  const [conflict, setConflict] = useState<LeadConflict>()
  const [isSaving, setSaving] = useState(false)
  const isBusy = useRef(false)
  const mine = { ...draft.sent, ...draft.edits }
  const clash = conflict && clashOf(asStored(mine), conflict)

  const edit = (change: FollowUp) => setDraft((now) => editDraft(now, change, lead, dayOf(serverNow())))
  const discard = () => {
    setDraft(NOTHING)
    setConflict(undefined)
  }

  const save = async (change: FollowUp, base: Lead) => {
    if (isBusy.current) return
    isBusy.current = true
    setSaving(true)
    const { isOwnerChosen } = draft
    setDraft({ edits: {}, sent: change, base, isOwnerChosen })
    try {
      const myId = isOwnerChosen ? undefined : accountId
      const { lead: saved, eventId, isTaken } = await changeAndTake(base, asStored(change), myId)
      setDraft((now) => draftOnceSaved(now, saved))
      setConflict(undefined)
      onSaved(saved)
      toast({
        title: 'Saved',
        ...ownedNote(isTaken),
        variant: 'default',
        ...(eventId && { action: { label: 'Undo', run: () => undo(lead.id, eventId).then(() => onSaved()) } }),
      })
    } catch (error) {
      setDraft((now) => draftOnceRefused(now, change, base, dayOf(serverNow())))
      const met = conflictOf(error)
      if (met) setConflict(met)
      else failed(error, 'Not saved')
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }

  return {
    values: { ...asTyped(lead), ...mine },
    edit,
    isEdited: isAny(mine),
    /** Whether all of it was edited before the page was loaded. */
    isRestored: isRestored && isAny(mine),
    isSaving,
    save: () => save(mine, draft.base ?? lead),
    discard,
    clash,
    /** Saves what is mine all the same. */
    useMine: () => clash && save(mine, clash.lead),
    /** Lets the fields that a colleague changed be; what else I changed is saved. */
    keepTheirs: async () => {
      if (!clash) return
      const rest = without(mine, clash.fields)
      if (isAny(rest)) return await save(rest, clash.lead)
      discard()
      onSaved(clash.lead)
    },
  }
}
