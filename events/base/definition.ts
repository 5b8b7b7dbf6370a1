import type * as v from 'valibot'
import type { Metadata } from './metadata.ts'

/** The contents of an event. `personal` is about a person; it is null if there is none or it has been erased. */
type Content = { data: unknown; personal: unknown }

/**
 * An earlier version of an event's shape, still found in logs. `upcast` returns what the next version would have
 * stored. It is pure, and accepts a `personal` of null, for a person who has been erased.
 */
export type EarlierVersion = {
  readonly schemaVersion: number
  readonly data: v.GenericSchema
  readonly personal: v.GenericSchema | null
  readonly upcast: (content: Content) => Content
}

/**
 * One type of event: its name in the past tense, the version of its shape, and the shape in two parts. `personal` holds
 * what a person wrote and what identifies them: the log encrypts it. `data` holds the rest, and no free text of
 * visitors. `earlier` lists the earlier versions, oldest first.
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
  readonly earlier?: readonly EarlierVersion[]
}

/** The personal part of an event: the UUID of the data subject, and the data about them. */
type About<Personal> = Personal extends v.GenericSchema
  ? { subjectId: string; personal: v.InferOutput<Personal> }
  : { subjectId: null; personal: null }

type Made<Type, Data extends v.GenericSchema, Personal> = { type: Type; data: v.InferOutput<Data> } & About<Personal>

/** A definition that can be called: it makes an event to append. One that is about a person takes `about` too. */
type EventMaker<Type extends string, Data extends v.GenericSchema, Personal extends v.GenericSchema | null> = ((
  data: v.InferOutput<Data>,
  ...about: Personal extends v.GenericSchema ? [About<Personal>] : []
) => Made<Type, Data, Personal>) &
  EventDefinition<Type, Data, Personal>

const WITHOUT_SUBJECT = { subjectId: null, personal: null }

/**
 * Declares a type of event. Call the result to make one: `chatErased({ by })`, or, about a person, `leadNoteAdded({ by
 * }, { subjectId, personal })`.
 */
/* @__NO_SIDE_EFFECTS__ */
export const defineEvent = <
  const Type extends string,
  Data extends v.GenericSchema,
  Personal extends v.GenericSchema | null,
>(
  definition: EventDefinition<Type, Data, Personal>,
): EventMaker<Type, Data, Personal> => {
  const make = (data: v.InferOutput<Data>, about: object = WITHOUT_SUBJECT) => ({
    type: definition.type,
    data,
    ...about,
  })
  return Object.assign(make, definition) as unknown as EventMaker<Type, Data, Personal>
}

/** The names of some types of events. */
/* @__NO_SIDE_EFFECTS__ */
export const typesOf = <const Definitions extends readonly EventDefinition[]>(definitions: Definitions) =>
  definitions.map(({ type }) => type) as Definitions[number]['type'][]

/** An event that is about to be appended. `subjectId` is the UUID of the person that `personal` is about. */
export type NewEvent<Definition> =
  Definition extends EventDefinition<infer Type, infer Data, infer Personal> ? Made<Type, Data, Personal> : never

/** An event as read from the log. `personal` is null if there never was any or it has been erased. */
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
        metadata: Metadata
        recordedAt: Date
      }
    : never

declare const EVENTS: unique symbol

/** The name of a stream that holds only these events. */
export type StreamOf<Event> = string & { readonly [EVENTS]?: Event }

/**
 * Declares a family of streams by the prefix of their names and the events that they hold. `of` returns the name of the
 * stream for an id; `idOf` returns the id of a stream, or undefined if its name does not begin with the prefix.
 * `prefix` is for names that SQL builds.
 */
/* @__NO_SIDE_EFFECTS__ */
export const defineStreams = <Event>(prefix: string) => ({
  prefix,
  of: (id: string): StreamOf<Event> => prefix + id,
  idOf: (stream: string): string | undefined => (stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined),
})
