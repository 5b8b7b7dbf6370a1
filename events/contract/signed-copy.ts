import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { contractReferenceOf } from '../base/reference.ts'
import type { EmailEvent } from '../email/email.ts'
import type { LifeEvent } from './life.ts'

/**
 * A worker made the signed copy of a contract, a PDF (in base64). It is made once: its hash lets anyone check a copy
 * against the log. The PDF itself is personal, and goes with its person. A party's name that was corrected makes a new
 * version of the copy, which `replaces` the former one: by that one's hash, because of the event that corrected it.
 */
export const contractCopyMade = defineEvent({
  type: 'ContractCopyMade',
  schemaVersion: 1,
  data: v.object({
    leadId: v.pipe(v.string(), v.uuid()),
    sha256: v.string(),
    replaces: v.exactOptional(v.object({ sha256: v.string(), correctionId: v.pipe(v.string(), v.uuid()) })),
  }),
  personal: v.object({ pdf: v.string() }),
})

/** One stream per contract, named after its lead: its copies, the steps of its life, and the emails about these. */
export const contractStreams = defineStreams<RecordedEvent<typeof contractCopyMade> | LifeEvent | EmailEvent>(
  'contract-',
)

/** The name of a signed copy as a file. */
export const copyName = (leadId: string) => `contract-${contractReferenceOf(leadId)}.pdf`

/** The page on which anyone can check a contract. */
export const verificationPath = (leadId: string) => `/contract/verify/${contractReferenceOf(leadId)}`
