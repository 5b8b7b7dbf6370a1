import type { Context } from 'hono'
import { holdsErasure } from '../../events/follow-up-history.ts'
import type { Lead } from '../../events/lead.ts'
import {
  type Correction,
  correctedFields,
  correctionForm,
  correctionsMissed,
  correctLead,
} from '../../events/lead-correction.ts'
import { isReachable, UNREACHABLE } from '../../events/lead-entry.ts'
import type { KnownLead } from '../../events/log/lead-family.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { CallerEnv } from '../staff/caller.ts'
import { changeLead } from './change.ts'
import { missed } from './follow-up.ts'
import { seenVersion } from './seen-version.ts'

const assertCorrectable = ({ own, contactOf, events }: KnownLead, correction: Correction) => {
  if (holdsErasure(events)) throw new RequestError('conflict', 'This person has been erased: nothing can be corrected')
  const taken = correctedFields(correction).find((field) => contactOf[field] !== own.id)
  if (taken) {
    const why = `The ${taken} is that of a lead that was merged into this one: unmerge them, then correct it there`
    throw new RequestError('conflict', why)
  }
  if (!isReachable({ ...own, ...correction })) throw invalidField('email', UNREACHABLE)
}

/**
 * Corrects a lead's name, email address, phone number or company; `If-Match` names the version that the correction was
 * made on. The answer's `Event-Id` is the correction, to be taken back by; there is none where the lead stood so already.
 */
export const correctContactOf = async (node: ApiNode, c: Context<CallerEnv>, leadId: string) => {
  const correction = await readBody(c, correctionForm)
  const staffId = c.get('caller').id
  const request = { correction, staffId, seenVersion: seenVersion(c) ?? Number.POSITIVE_INFINITY }
  const { lead, appended } = await changeLead(node, leadId, async (known) => {
    assertCorrectable(known, correction)
    const changes = correctionsMissed(known, request)
    if (changes.length > 0) throw await missed(node, known, changes)
    return correctLead({ lead: known.own, correction, staffId })
  })
  c.header('ETag', `"${lead.version}"`)
  if (appended) c.header('Event-Id', appended.id)
  return c.json(lead satisfies Lead)
}
