import { connect } from '../log/connection.ts'
import { chatsProjection } from '../projections/chats.ts'
import { schemaOf } from '../projections/projection.ts'
import { TEST_KEYS } from './test-keys.ts'

/** For tests: puts so many chats that go on into the view, one begun every second, all of them after any real one. */
export const fillActiveChats = async (databaseUrl: string, count: number): Promise<void> => {
  const sql = connect(databaseUrl, { max: 1, name: 'test', keys: TEST_KEYS })
  try {
    await sql`
  insert into ${sql(schemaOf(chatsProjection))}.sessions
    (id, started_at, is_active, last_activity, search, session, progress)
  select id, at, true, at, 'visitor ' || i,
    jsonb_build_object(
      'sessionId', id, 'visitorName', 'Visitor ' || i, 'visitorEmail', null, 'pageUrl', '/pricing', 'userAgent', null,
      'isActive', true, 'startTime', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'endTime', null
    ),
    jsonb_build_object('lastSequence', 0, 'lastActivity', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'lastAnswer', null, 'settled', 0, 'leadId', null, 'isErased', false)
  from (
    select i, gen_random_uuid() as id, date_trunc('milliseconds', now()) + interval '1 day' - i * interval '1 second' as at
    from generate_series(1, ${count}::integer) i
  ) chats`
  } finally {
    await sql.end()
  }
}
