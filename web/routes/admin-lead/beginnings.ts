import type { TimelineEntry } from '../../../events/lead/person-wire.ts'

/** How leads begin on a timeline. */
export const BEGINNINGS: readonly string[] = [
  'lead',
  'chat_lead',
  'contract',
  'entered',
  'imported',
] satisfies TimelineEntry['kind'][]
