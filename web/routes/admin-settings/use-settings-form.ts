import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form'
import type * as v from 'valibot'
import type { Settings, SettingsConflict } from '../../../events/wire/settings.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { conflictOf, type SettingsPart, useSaveSettings } from '../../staff/settings.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'

/** What every form of the settings is given. `onDirty` hears whether there is anything unsaved in it. */
export type SettingsFormProps = { settings: Settings; onDirty: (part: SettingsPart, isDirty: boolean) => void }

/** The fields that were typed in while others were on their way, so that they outlive the answer. */
const typedSince = <Input extends FieldValues>(sent: Input, now: Input) =>
  (Object.entries(now) as [Path<Input>, PathValue<Input, Path<Input>>][]).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]),
  )

/**
 * A form of one part of the settings. It shows the settings as they are until somebody types; from then on it holds to
 * the version that was seen, so that what somebody else saves meanwhile is a conflict to decide on and not lost.
 */
export const useSettingsForm = <Input extends FieldValues, Output extends object>(
  { settings, onDirty }: SettingsFormProps,
  part: SettingsPart,
  schema: v.GenericSchema<Input, Output>,
  valuesOf: (settings: Settings) => DefaultValues<Input>,
) => {
  const save = useSaveSettings()
  const [seen, setSeen] = useState(settings)
  const [conflict, setConflict] = useState<SettingsConflict>()
  const [wasSaved, setWasSaved] = useState(false)

  const form = useStaffForm(schema, {
    defaultValues: valuesOf(settings),
    send: async (values) => {
      setWasSaved(false)
      const sent = structuredClone(form.getValues())
      const saved = await save(part, values, conflict?.settings.version ?? seen.version)
      const later = typedSince(sent, structuredClone(form.getValues()))
      take(saved)
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

  const take = (standing: Settings) => {
    setSeen(standing)
    setConflict(undefined)
    form.reset(valuesOf(standing))
  }

  useEffect(() => {
    if (!isDirty && settings.version > seen.version) take(settings)
  })

  useEffect(() => {
    onDirty(part, isDirty)
    if (isDirty) setWasSaved(false)
    return () => onDirty(part, false)
  }, [onDirty, part, isDirty])

  return {
    ...form,
    isDirty,
    wasSaved,
    conflict,
    discard: () => take(settings),
    takeTheirs: () => conflict && take(conflict.settings),
  }
}
