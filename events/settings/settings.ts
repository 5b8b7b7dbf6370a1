import type { NewEvent, RecordedEvent, StreamOf } from '../base/definition.ts'
import { PARTS } from './parts.ts'
import type { SupportHoursHistory } from './support-hours-history.ts'

type Parts = typeof PARTS

/** A part of the settings. */
export type Part = Parts[keyof Parts]

/** The types of the events of the settings' stream, one per part. */
export const settingsEvents: readonly Part['changed'][] = Object.values(PARTS).map(({ changed }) => changed)

/** The events of the settings' stream. */
export type SettingsEvent = RecordedEvent<Part['changed']>

/** The stream of all changes of the settings. */
export const SETTINGS_STREAM: StreamOf<SettingsEvent> = 'settings'

/** A change that is about to be appended. */
export type SettingsChange = NewEvent<Part['changed']>

/** The agency's settings. `version` is that of the settings' stream, 0 if nothing is set. */
export type Settings = { [Key in keyof Parts]: Parts[Key]['initial'] } & {
  version: number
  /** All support hours ever set, the current ones last: earlier promises are judged by the hours of their time. */
  supportHoursHistory: SupportHoursHistory
}

const initial = Object.fromEntries(Object.entries(PARTS).map(([key, part]) => [key, part.initial]))

/** The settings of an agency that has set nothing. */
export const DEFAULT_SETTINGS = { version: 0, supportHoursHistory: [], ...initial } as unknown as Settings

/** The parts of an event of the settings' stream that the settings need. */
type Change<Event> = Event extends SettingsEvent ? Pick<Event, 'type' | 'data' | 'version' | 'recordedAt'> : never

/** The settings after an event of their stream, oldest first. */
export const evolveSettings = (settings: Settings, event: Change<SettingsEvent>): Settings => {
  const { version, recordedAt: validFrom, type } = event
  const found = Object.entries(PARTS).find(([, { changed }]) => changed.type === type)
  if (!found) return settings
  const [key, { apply }] = found as [keyof Parts, Part]
  const { by: _, ...data } = event.data
  const after = { ...settings, version, [key]: apply(data as never, settings[key] as never) }
  if (key !== 'supportHours') return after
  const change = { validFrom, hours: after.supportHours }
  return { ...after, supportHoursHistory: [...settings.supportHoursHistory, change] }
}
