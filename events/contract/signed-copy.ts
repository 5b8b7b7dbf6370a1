import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { referenceOf } from '../base/reference.ts'

/**
 * A worker made the signed copy of a contract, a PDF (in base64). It is made once: its hash lets anyone check a copy
 * against the log. The PDF itself is personal, and goes with its person.
 */
export const contractCopyMade = defineEvent({
  type: 'ContractCopyMade',
  schemaVersion: 1,
  data: v.object({ leadId: v.pipe(v.string(), v.uuid()), sha256: v.string() }),
  personal: v.object({ pdf: v.string() }),
})

/** One stream per contract, named after its lead. */
export const contractStreams = defineStreams<RecordedEvent<typeof contractCopyMade>>('contract-')

/** The name of a signed copy as a file. */
export const copyName = (leadId: string) => `contract-${referenceOf(leadId)}.pdf`

/** The page on which anyone can check a contract. */
export const verificationPath = (leadId: string) => `/contract/verify/${referenceOf(leadId)}`
