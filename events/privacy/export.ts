import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { optionalText } from '../base/text.ts'
import { SUBJECT_KINDS } from './wire.ts'

const id = v.pipe(v.string(), v.uuid())

const MAX_REASON_CHARACTERS = 500

/** Asks for a file of everything held about a person. Notes by staff are left out only with a reason. */
export const exportForm = v.pipe(
  v.strictObject({
    kind: v.picklist(SUBJECT_KINDS),
    hasNotes: v.optional(v.boolean(), true),
    reason: optionalText(MAX_REASON_CHARACTERS, { lines: true }),
  }),
  v.forward(
    v.partialCheck(
      [['hasNotes'], ['reason']],
      ({ hasNotes, reason }) => hasNotes || reason !== null,
      'Write why the notes are left out',
    ),
    ['reason'],
  ),
)

/** An owner asked for an export of a person's data. `reason`: why notes by staff were left out. */
export const privacyExportRequested = defineEvent({
  type: 'PrivacyExportRequested',
  schemaVersion: 1,
  data: v.object({ exportId: id, kind: v.picklist(SUBJECT_KINDS), hasNotes: v.boolean(), by: id }),
  personal: v.object({ reason: v.nullable(v.string()) }),
})

/** An owner downloaded an export. */
export const privacyExportDownloaded = defineEvent({
  type: 'PrivacyExportDownloaded',
  schemaVersion: 1,
  data: v.object({ exportId: id, by: id }),
  personal: null,
})

export type PrivacyExportEvent =
  | RecordedEvent<typeof privacyExportRequested>
  | RecordedEvent<typeof privacyExportDownloaded>

/** One stream per lead, chat or account from which a person was exported. */
export const privacyExportStreams = defineStreams<PrivacyExportEvent>('exports-of-')
