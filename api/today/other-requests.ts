import type { Sent } from '../../events/base/word.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { namesOf } from '../../events/lead/name.ts'
import type { otherRequest } from '../../events/lead/screens/today-wire.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** The maximum number of leads under an address or a number that are examined: strangers can submit any number. */
const MAX_KNOWN_LEADS = 20

type Row = { leadId: string; other: Lead }

/** The parts of a lead's follow-up that are compared, read from it once. */
const followed = (sql: Sql) => sql`
  lead ->> 'ownerId' as owner, (lead ->> 'answeredAt')::timestamptz as answered_at, lead ->> 'timestamp' as submitted_at`

/** Looked up key by key, as people are, and limited before anything else of a lead is read. */
const holdersOf = (sql: Sql, column: 'email_key' | 'phone_key') => sql`
  select listed.id as listed_id, listed.owner as listed_owner, listed.answered_at as listed_answered_at, found.* from (
    select distinct ${sql(column)} as key from listed where ${sql(column)} is not null
  ) keys
  cross join lateral (
    select id, ${followed(sql)} from (
      select id, lead, is_suspect, merged_into from ${sql(schemaOf(leadsProjection))}.leads
      where ${sql(column)} = keys.key limit ${MAX_KNOWN_LEADS}
    ) first
    where not is_suspect and merged_into is null offset 0
  ) found
  join listed on listed.${sql(column)} = keys.key and listed.id <> found.id`

/**
 * Other requests by the people of some leads that concern a colleague: per lead the one with the same address or number
 * that was answered last or, if neither the lead itself nor another one has been answered, the newest with another
 * owner. A reply that is older than the lead's own is left out, and so are merged and flagged leads; erased people have
 * no address. Of the leads under one address or number 20 are examined, whichever Postgres finds first. `answeredBy` is
 * null if the log does not record it.
 */
export const readOtherRequests = async (sql: Sql, leadIds: string[]): Promise<Sent<typeof otherRequest>[]> => {
  const rows = await sql<Row[]>`
    with listed as materialized (
      select id, email_key, phone_key, ${followed(sql)} from ${sql(schemaOf(leadsProjection))}.leads
      where id = any(${leadIds}::uuid[]) and not is_suspect
    ),
    others as (
      select distinct on (listed_id) listed_id, id, answered_at
      from (${holdersOf(sql, 'email_key')} union all ${holdersOf(sql, 'phone_key')}) known
      where answered_at > coalesce(listed_answered_at, '-infinity')
        or answered_at is null and listed_answered_at is null and owner <> coalesce(listed_owner, '')
      order by listed_id, answered_at desc nulls last, submitted_at desc
    )
    select others.listed_id as "leadId", found.lead as other from others
    cross join lateral (
      select lead from ${sql(schemaOf(leadsProjection))}.leads where id = others.id offset 0
    ) found`
  return rows.map(({ leadId, other }) => ({
    leadId,
    otherId: other.id,
    name: namesOf(other).person,
    followUpStatus: other.followUpStatus,
    answeredAt: other.answeredAt,
    answeredBy: other.answeredBy,
    ownerId: other.ownerId,
  }))
}
