import { chatsProjection } from '../chat/store/view.ts'
import { schemaOf } from '../projections/projection.ts'
import { connect } from '../stores/connection.ts'
import { TEST_KEYS } from './keys.ts'

/** For tests: adds this many open chats to the view, one begun every second, all of them after any real one. */
export const fillActiveChats = async (databaseUrl: string, count: number): Promise<void> => {
  const sql = connect(databaseUrl, { max: 1, name: 'test', keys: TEST_KEYS })
  try {
    const view = sql(schemaOf(chatsProjection))
    await sql`
      with made as (
        insert into ${view}.sessions (id, started_at, is_active, is_reachable, last_activity, session, progress)
        select id, at, true, false, at,
          jsonb_build_object(
            'sessionId', id, 'visitorName', 'Visitor ' || i, 'visitorEmail', null, 'pageUrl', '/pricing',
            'userAgent', null, 'isActive', true, 'startTime', iso, 'endTime', null
          ),
          jsonb_build_object('lastSequence', 0, 'lastActivity', iso, 'lastAnswer', null, 'settled', 0, 'leadId', null,
            'isErased', false)
        from generate_series(1, ${count}::integer) i
        cross join lateral (
          select gen_random_uuid() as id, date_trunc('milliseconds', now()) + interval '1 day' - i * interval '1 second' as at
        ) chats
        cross join lateral to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') iso
        returning id, session
      )
      insert into ${view}.said (session_id, sequence, text) select id, 0, lower(session ->> 'visitorName') from made`
  } finally {
    await sql.end()
  }
}
