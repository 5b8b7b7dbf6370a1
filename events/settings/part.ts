import * as v from 'valibot'
import { defineEvent } from '../base/definition.ts'

type Form = v.GenericSchema<unknown, object> & { entries: v.ObjectEntries }

type Change<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>

/**
 * Declares a part of the settings, which owners change by itself. Its event, its route and its share of the settings
 * follow from it; web/routes/admin-settings/sections.ts shows it.
 */
/* @__NO_SIDE_EFFECTS__ */
export const definePart = <
  const Name extends string,
  const Type extends string,
  PartForm extends Form,
  Value,
  Entries extends v.ObjectEntries = PartForm['entries'],
>({
  type,
  stored,
  ...part
}: {
  /** Its name in the API. */
  name: Name
  /** A sentence for the OpenAPI document. */
  summary: string
  /** The type of its event. */
  type: Type
  form: PartForm
  /** The fields of its event, if they differ from those of the form. */
  stored?: Entries
  /** Its value in the settings after a change. */
  apply: (change: Change<NoInfer<Entries>>, before: Value) => Value
  /** Its value until the first change. */
  initial: NoInfer<Value>
  /** Whether a change needs a recently entered password. */
  isConfirmed?: true
}) => ({
  ...part,
  changed: defineEvent({
    type,
    schemaVersion: 1,
    data: v.object({ ...((stored ?? part.form.entries) as Entries), by: v.pipe(v.string(), v.uuid()) }),
    personal: null,
  }),
})
