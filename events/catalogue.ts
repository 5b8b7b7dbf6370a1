/**
 * Every type of event that the log may hold. An event's shape has versions. Pure functions upcast earlier versions to
 * the current one when events are read, in one place (log/decode.ts). A consumer declares the types that it handles and
 * skips all others.
 */

import type { EarlierVersion, EventDefinition, NewEvent, RecordedEvent } from './base/definition.ts'
import { chatPushRequested } from './chat/alert.ts'
import { chatLinksRevoked } from './chat/links.ts'
import { chatEvents } from './chat/progress.ts'
import { lifeEvents } from './contract/life.ts'
import { contractCopyMade } from './contract/signed-copy.ts'
import { termsPublished } from './contract/terms.ts'
import { emailActivationRequested, emailTestRequested } from './email/email.ts'
import { leadAlertRequested, leadPushRequested } from './lead/email/alert.ts'
import { leadCopyRequested } from './lead/email/copy.ts'
import { leadImportRequested, leadImportUndone } from './lead/import/import.ts'
import { leadEvents } from './lead/lead.ts'
import { erasureRequested } from './lead/person/erasure.ts'
import { leadsMerged, leadsUnmerged } from './lead/person/merge.ts'
import { leadContacted, leadEmailWritten } from './lead/reply/answer.ts'
import { leadCallUnanswered, leadContactRemoved } from './lead/reply/contact.ts'
import { privacyCaseDone, privacyCaseOpened } from './privacy/case.ts'
import { privacyExportDownloaded, privacyExportRequested } from './privacy/export.ts'
import { settingsEvents } from './settings/settings.ts'
import { accountEvents } from './staff/account-history.ts'
import { passwordLinkRequested } from './staff/password-link.ts'
import { webhookAlertRequested } from './webhook/alert.ts'
import { webhookResendRequested } from './webhook/webhook.ts'

const definitions = [
  ...leadEvents,
  leadsMerged,
  leadsUnmerged,
  leadImportRequested,
  leadImportUndone,
  leadCopyRequested,
  leadAlertRequested,
  leadPushRequested,
  leadEmailWritten,
  leadContacted,
  leadCallUnanswered,
  leadContactRemoved,
  ...chatEvents,
  chatLinksRevoked,
  chatPushRequested,
  erasureRequested,
  termsPublished,
  contractCopyMade,
  ...lifeEvents,
  privacyExportRequested,
  privacyExportDownloaded,
  privacyCaseOpened,
  privacyCaseDone,
  emailActivationRequested,
  emailTestRequested,
  ...settingsEvents,
  ...accountEvents,
  passwordLinkRequested,
  webhookResendRequested,
  webhookAlertRequested,
] as const

type Definition = (typeof definitions)[number]

/** Any event that may be appended. */
export type AnyNewEvent = NewEvent<Definition>

/** Any event that the log can hold. */
export type AnyRecordedEvent = RecordedEvent<Definition>

/** The new events that a stream may hold; any event if the stream's type does not say. */
export type NewOf<Event> = Event extends { type: infer Type extends EventType }
  ? Extract<AnyNewEvent, { type: Type }>
  : AnyNewEvent

/** The events that a stream holds; any event if its type does not say. */
export type RecordedOf<Event> = Event extends AnyRecordedEvent ? Event : AnyRecordedEvent

/** The names of all events. */
export type EventType = Definition['type']

/** One version of a type of event: its shape, and the upcast to the current version. */
export type KnownVersion = Pick<EarlierVersion, 'schemaVersion' | 'data' | 'personal'> & {
  definition: EventDefinition
  /** Undefined for the current version. */
  upcast: EarlierVersion['upcast'] | undefined
}

const versionsOf = (definition: EventDefinition): KnownVersion[] => {
  const earlier = definition.earlier ?? []
  const steps = earlier.map(({ upcast }) => upcast)
  return [
    ...earlier.map((version, index) => ({
      ...version,
      definition,
      upcast: (content: Parameters<EarlierVersion['upcast']>[0]) =>
        steps.slice(index).reduce((upcasted, step) => step(upcasted), content),
    })),
    { ...definition, definition, upcast: undefined },
  ]
}

/** Names a version of a type of event. */
export const versionKey = (type: string, schemaVersion: number) => `${type}.v${schemaVersion}`

const current = new Map<string, EventDefinition>()
const versions = new Map<string, KnownVersion>()

/** Adds a type of event to the catalogue. */
export const register = (definition: EventDefinition): void => {
  current.set(definition.type, definition)
  for (const version of versionsOf(definition))
    versions.set(versionKey(definition.type, version.schemaVersion), version)
}

for (const definition of definitions) register(definition)

/** The current version of each type of event, by name. */
export const catalogue: ReadonlyMap<string, EventDefinition> = current

/** Every version of each type of event that the log may hold, by `versionKey`. */
export const knownVersions: ReadonlyMap<string, KnownVersion> = versions
