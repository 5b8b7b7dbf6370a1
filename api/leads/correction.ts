import {
  type Correction,
  correctedFields,
  correctionForm,
  correctionsMissed,
  correctLead,
} from '../../events/lead/correction.ts'
import { isReachable, UNREACHABLE } from '../../events/lead/entry.ts'
import { holdsErasure } from '../../events/lead/lead.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { lead } from '../../events/lead/wire.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { SEEN, seenVersion } from '../http/seen-version.ts'
import { changeLead } from './change.ts'
import { missed } from './follow-up.ts'

const assertCorrectable = ({ own, contactOf, events }: KnownLead, correction: Correction) => {
  if (holdsErasure(events)) throw new RequestError('conflict', 'This person has been erased: nothing can be corrected')
  const conflicting = correctedFields(correction).find((field) => contactOf[field] !== own.id)
  if (conflicting) {
    const message = `The ${conflicting} is that of a lead that was merged into this one: unmerge them, then correct it there`
    throw new RequestError('conflict', message)
  }
  if (!isReachable({ ...own, ...correction })) throw invalidField('email', UNREACHABLE)
}

/**
 * Corrects a lead's name, email address, phone number or company. The response's `Event-Id` is the correction, by which
 * it can be undone; there is none if the lead already had these values.
 */
export const correctContact = route('PATCH', '/api/leads/:id/contact', {
  access: 'staff',
  scope: 'leads:write',
  summary: 'Corrects name, email address, phone number or company',
  body: correctionForm,
  answer: lead,
  mayConflict: true,
  headers: SEEN,
  handler: async ({ node, c, params, body: correction }) => {
    const staffId = c.get('caller').id
    const request = { correction, staffId, seenVersion: seenVersion(c) ?? Number.POSITIVE_INFINITY }
    const { lead, appended } = await changeLead(node, params.id, async (known) => {
      assertCorrectable(known, correction)
      const unseen = correctionsMissed(known, request).map((event) => ({ event, change: { ...event.personal } }))
      if (unseen.length > 0) throw await missed(node, known, unseen)
      return correctLead({ lead: known.own, correction, staffId })
    })
    c.header('ETag', `"${lead.version}"`)
    if (appended) c.header('Event-Id', appended.id)
    return lead
  },
})
