import type { Queryable } from '../../events/log/decode.ts'

/** The address of a staff member's photo, from the table `staff`. It changes with the photo; null for none. */
export const photoAddress = (sql: Queryable) =>
  sql`case when photo_tag is not null then '/api/staff/' || staff.id || '/photo?' || photo_tag end`
