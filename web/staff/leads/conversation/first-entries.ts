import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'

/** The kinds of entries with which a lead's timeline begins. */
export const FIRST_ENTRIES: readonly string[] = [
  'lead',
  'chat_lead',
  'contract',
  'entered',
  'imported',
] satisfies TimelineEntry['kind'][]
