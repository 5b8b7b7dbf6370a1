import type { Queryable } from '../../events/log/decode.ts'

/** Of the table `staff`: where somebody's photo is, which changes with the photo; null for none. */
export const photoAddress = (sql: Queryable) =>
  sql`case when photo_tag is not null then '/api/staff/' || staff.id || '/photo?' || photo_tag end`
