import type * as v from 'valibot'
import type { Metadata } from './metadata.ts'

/** What an event says: `data`, and about a person `personal`, which is null where there is none or it has been erased. */
type Content = { data: unknown; personal: unknown }

/**
 * An earlier version of an event's shape, which logs still hold. `upcast` makes of it what the next version would have
 * stored. It is pure, and takes a `personal` of null, for a person who has been erased.
 */
export type EarlierVersion = {
  readonly schemaVersion: number
  readonly data: v.GenericSchema
  readonly personal: v.GenericSchema | null
  readonly upcast: (content: Content) => Content
}

/**
 * One type of event: its name in the past tense, the version of its shape, and the shape itself in two parts.
 * `personal` holds what a person wrote and what tells who they are: the log encrypts it. `data` holds the rest, and no
 * free text of visitors. `earlier` are the versions before this one, the oldest first.
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

/** What an event says about a person: who, as the UUID of the data subject, and what. */
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

const ABOUT_NOBODY = { subjectId: null, personal: null }

/**
 * Declares a type of event. Call what it answers to make one: `chatErased({ by })`, or, about a person,
 * `leadNoteAdded({ by }, { subjectId, personal })`.
 * @__NO_SIDE_EFFECTS__ so that what a browser does not use of a file of events is not sent to it
 */
export const defineEvent = <
  const Type extends string,
  Data extends v.GenericSchema,
  Personal extends v.GenericSchema | null,
>(
  definition: EventDefinition<Type, Data, Personal>,
): EventMaker<Type, Data, Personal> => {
  const make = (data: v.InferOutput<Data>, about: object = ABOUT_NOBODY) => ({ type: definition.type, data, ...about })
  return Object.assign(make, definition) as unknown as EventMaker<Type, Data, Personal>
}

/** An event that is about to be appended. `subjectId` is the UUID of the person that `personal` is about. */
export type NewEvent<Definition> =
  Definition extends EventDefinition<infer Type, infer Data, infer Personal> ? Made<Type, Data, Personal> : never

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
        metadata: Metadata
        recordedAt: Date
      }
    : never

declare const EVENTS: unique symbol

/** The name of a stream that holds these events, and no others. */
export type StreamOf<Event> = string & { readonly [EVENTS]?: Event }

/**
 * Declares a family of streams by the prefix of their names and the events that they hold. `of` names the one stream of
 * an id; `idOf` answers the id of a stream, or undefined where its name does not begin with the prefix. `prefix` is for
 * names that SQL makes.
 * @__NO_SIDE_EFFECTS__
 */
export const defineStreams = <Event>(prefix: string) => ({
  prefix,
  of: (id: string): StreamOf<Event> => prefix + id,
  idOf: (stream: string): string | undefined => (stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined),
})
