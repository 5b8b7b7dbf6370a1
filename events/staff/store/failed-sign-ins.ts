import type { Appender } from '../../log/append.ts'
import { deterministicUuid } from '../../log/event-id.ts'
import { readEvent } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { ACCOUNTS_STREAM, type From, staffSignInFailed, staffSignInsCounted } from '../account-history.ts'

/** Wrong passwords are counted by this span of time. In minutes. */
const SPAN_MIN = 15

/** How long after its span a count is closed, in minutes: by then no sign-in that began within it is under way. */
const CLOSE_AFTER_MIN = 1

/** How many counts are closed in one round; the rest is closed in the next. */
const MAX_COUNTS = 200

/** Usernames that no account has, which are counted together: a script may invent any number of them. */
const UNKNOWN_ACCOUNT = ''

type Trail = { sql: Sql; log: Pick<Appender, 'append'> }

const firstId = (account: string, since: Date) => deterministicUuid('sign-in failed', account, since.toISOString())

/**
 * Counts a wrong password of an account; undefined is a username that no account has. The first one of a quarter of an
 * hour is appended to the log immediately. Postgres's clock determines the span, the same for all nodes.
 */
export const noteFailedSignIn = async (
  { sql, log }: Trail,
  { accountId, from }: { accountId: string | undefined; from: From },
): Promise<void> => {
  const account = accountId ?? UNKNOWN_ACCOUNT
  const [count] = await sql<{ since: Date; failures: number }[]>`
    insert into failed_sign_ins (account, since)
    values (${account}, date_bin(make_interval(mins => ${SPAN_MIN}), now(), 'epoch'))
    on conflict (account, since) do update set failures = failed_sign_ins.failures + 1
    returning since, failures`
  if (count?.failures !== 1) return
  await log.append({
    stream: ACCOUNTS_STREAM,
    expectedVersion: 'any',
    events: [{ id: firstId(account, count.since), ...staffSignInFailed({ accountId: accountId ?? null, from }) }],
  })
}

/** Appends the number of wrong passwords to the log, for each span that has ended. Idempotent. */
export const closeFailedSignIns = async ({ sql, log }: Trail, { now }: { now: Date }): Promise<void> => {
  const counts = await sql<{ account: string; since: Date; until: Date; failures: number }[]>`
    select account, since, since + make_interval(mins => ${SPAN_MIN}) as until, failures from failed_sign_ins
    where since < ${now}::timestamptz - make_interval(mins => ${SPAN_MIN + CLOSE_AFTER_MIN})
    order by since limit ${MAX_COUNTS}`
  for (const { account, since, until, failures } of counts) {
    // a single one is there already, unless its node died first
    if (failures > 1 || !(await readEvent(sql, firstId(account, since)))) {
      const data = {
        accountId: account === UNKNOWN_ACCOUNT ? null : account,
        since: since.toISOString(),
        until: until.toISOString(),
        failures,
      }
      const id = deterministicUuid('sign-ins counted', account, since.toISOString(), String(failures))
      const events = [{ id, ...staffSignInsCounted(data) }]
      await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events })
    }
    await sql`delete from failed_sign_ins where account = ${account} and since = ${since} and failures = ${failures}`
  }
}
