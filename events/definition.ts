import type * as v from 'valibot'

/**
 * One type of event: its name in the past tense, the version of its shape, and the shape itself in two parts.
 * `personal` holds whatever tells something about a living person, so that it can be encrypted and erased without
 * touching `data`; null for an event that is about nobody.
 */
export type EventDefinition<
  Type extends string = string,
  Data extends v.GenericSchema = v.GenericSchema,
  Personal extends v.GenericSchema | null = v.GenericSchema | null,
> = {
  readonly type: Type
  readonly schemaVersion: number
  readonly data: Data
  readonly personal: Personal
}

/**
 * Declares a type of event, keeping its name and shapes for the compiler.
 * @__NO_SIDE_EFFECTS__ so that what a browser does not use of a file of events is not sent to it
 */
export const defineEvent = <
  const Type extends string,
  Data extends v.GenericSchema,
  Personal extends v.GenericSchema | null,
>(
  definition: EventDefinition<Type, Data, Personal>,
): EventDefinition<Type, Data, Personal> => definition

type PersonalOf<Personal> = Personal extends v.GenericSchema
  ? { subjectId: string; personal: v.InferOutput<Personal> }
  : { subjectId: null; personal: null }

/** An event that is about to be appended. `subjectId` is the UUID of the person that `personal` is about. */
export type NewEvent<Definition> =
  Definition extends EventDefinition<infer Type, infer Data, infer Personal>
    ? { type: Type; data: v.InferOutput<Data> } & PersonalOf<Personal>
    : never

/** An event as the log gives it back. `personal` is null where there never was any and where it has been erased. */
export type RecordedEvent<Definition> =
  Definition extends EventDefinition<infer Type, infer Data, infer Personal>
    ? {
        position: number
        id: string
        stream: string
        version: number
        type: Type
        schemaVersion: number
        data: v.InferOutput<Data>
        subjectId: string | null
        personal: (Personal extends v.GenericSchema ? v.InferOutput<Personal> : never) | null
        recordedAt: Date
      }
    : never
