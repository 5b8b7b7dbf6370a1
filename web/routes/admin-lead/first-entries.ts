import type { TimelineEntry } from '../../../events/lead/person-wire.ts'

/** The kinds of entries with which a lead's timeline begins. */
export const BEGINNINGS: readonly string[] = [
  'lead',
  'chat_lead',
  'contract',
  'entered',
  'imported',
] satisfies TimelineEntry['kind'][]
