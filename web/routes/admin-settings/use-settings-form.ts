import { type ComponentType, useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form'
import * as v from 'valibot'
import type { Settings, SettingsConflict } from '../../../events/settings/wire.ts'
import { Draft } from '../../staff/drafts/drafts.tsx'
import { useUnsaved } from '../../staff/drafts/unsaved.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import type { SectionId } from '../../staff/settings/section-titles.ts'
import { conflictOf, type SettingsPart, saveSettings } from '../../staff/settings/settings.ts'

export type SettingsFormProps = { settings: Settings; accountId: string }

/** A section of the settings: for owners, and read-only for agents. */
export type Section = {
  /** Its name in the address. */
  id: SectionId
  intro: string
  Form: ComponentType<SettingsFormProps>
  Shown: ComponentType<{ settings: Settings }>
}

/**
 * The section of a part that owners set by a form. `noun` names the part in a sentence; the device stores no draft of
 * the field `secret`.
 */
export type PartSection = Section & { id: SectionId & SettingsPart; noun: string; secret?: string }

/** The fields that were edited while the others were being sent, to survive the response. */
const typedSince = <Input extends FieldValues>(sent: Input, now: Input) =>
  (Object.entries(now) as [Path<Input>, PathValue<Input, Path<Input>>][]).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]),
  )

/** An account's unsaved changes to a part of the settings, and the version that they are based on. */
const settingsDraft = (accountId: string, part: SettingsPart) =>
  new Draft(
    accountId,
    `settings-${part}`,
    v.object({ values: v.record(v.string(), v.unknown()), version: v.pipe(v.number(), v.safeInteger()) }),
  )

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Whether values that an earlier version of this page may have stored fit the current form. */
const fits = (values: Record<string, unknown>, known: object) =>
  Object.entries(known).every(([name, value]) => kindOf(values[name]) === kindOf(value))

/**
 * A form of one part of the settings. It shows the current settings until the owner types; from then on it keeps the
 * version that was shown, so another owner's save is a conflict to decide on and is not lost. The typed values stay on
 * the device until they are saved or discarded.
 */
export const useSettingsForm = <Input extends FieldValues, Output extends object>(
  { settings, accountId }: SettingsFormProps,
  section: PartSection,
  schema: v.GenericSchema<Input, Output>,
  valuesOf: (settings: Settings) => DefaultValues<Input>,
) => {
  const { id: part, secret } = section
  const [draft] = useState(() => settingsDraft(accountId, part))
  const [before] = useState(() => {
    const read = draft.read()
    return read && fits(read.values, valuesOf(settings)) ? read : undefined
  })
  const toRestore = useRef(before)
  const [seen, setSeen] = useState(before ? { ...settings, version: before.version } : settings)
  const [conflict, setConflict] = useState<SettingsConflict>()
  const [wasSaved, setWasSaved] = useState(false)

  const form = useStaffForm(schema, {
    isStored: true,
    defaultValues: valuesOf(settings),
    send: async (values) => {
      setWasSaved(false)
      const sent = structuredClone(form.getValues())
      const saved = await saveSettings(part, values, conflict?.settings.version ?? seen.version)
      const later = typedSince(sent, structuredClone(form.getValues()))
      accept(saved)
      for (const [name, value] of later) form.setValue(name, value, { shouldDirty: true })
      setWasSaved(true)
    },
    explain: (error) => {
      const other = conflictOf(error)
      if (other) setConflict(other)
      return other ? undefined : reasonOf(error)
    },
  })
  const { isDirty } = form.formState

  const accept = (current: Settings) => {
    setSeen(current)
    setConflict(undefined)
    form.reset(valuesOf(current))
  }

  useEffect(() => {
    const restored = toRestore.current
    toRestore.current = undefined
    if (restored) form.reset(restored.values as Input, { keepDefaultValues: true })
    else if (!isDirty && settings.version > seen.version) accept(settings)
  })

  const { watch, getValues } = form
  useEffect(() => {
    if (!isDirty) {
      draft.discard()
      return
    }
    const storeDraft = () =>
      draft.store({ values: { ...getValues(), ...(secret && { [secret]: '' }) }, version: seen.version })
    storeDraft()
    const { unsubscribe } = watch(storeDraft)
    return unsubscribe
  }, [draft, secret, isDirty, seen.version, getValues, watch])

  useUnsaved(isDirty, { onLeave: draft.discard })
  useEffect(() => {
    if (isDirty) setWasSaved(false)
  }, [isDirty])

  return {
    ...form,
    section,
    isDirty,
    wasSaved,
    conflict,
    discard: () => accept(settings),
    takeTheirs: () => conflict && accept(conflict.settings),
  }
}
