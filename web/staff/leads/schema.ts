import * as v from 'valibot'
import { FOLLOW_UP_STATUSES } from '../../../events/follow-up.ts'
import { SUSPICIONS } from '../../../events/suspicion.ts'
import { touch } from '../../../events/touch.ts'

const text = v.nullable(v.string())

/** A lead as the API answers it. */
export const lead = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  company: text,
  businessName: text,
  industry: text,
  package: text,
  message: text,
  timeline: text,
  leadSource: v.string(),
  pageUrl: text,
  agreedToTerms: v.nullable(v.boolean()),
  firstTouch: v.nullable(touch),
  lastTouch: v.nullable(touch),
  suspicion: v.exactOptional(v.array(v.picklist(SUSPICIONS))),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  followUpStatus: v.picklist(FOLLOW_UP_STATUSES),
  conversionDate: text,
  projectValue: v.nullable(v.number()),
  ownerId: text,
  nextActionDate: text,
  answeredAt: text,
  forwardStatus: v.nullable(
    v.picklist(['pending', 'retrying', 'delivered', 'outbox', 'needs_activation', 'blocked', 'rejected']),
  ),
  version: v.number(),
})

/** A list of leads as the API answers it. */
export const leads = v.array(lead)
