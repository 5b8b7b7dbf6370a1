import { isDeepStrictEqual } from 'node:util'
import { agencyDay } from '../../base/agency-day.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import type { Queryable } from '../../log/read.ts'
import type { Projection } from '../../projections/projection.ts'
import type { SupportHoursHistory } from '../../settings/support-hours-history.ts'
import type { SupportHours } from '../../settings/support-time.ts'
import { isLeadEvent, type LeadEvent, leadIdOf } from '../lead.ts'
import { isMergeEvent, type MergeEvent, mergeStreams } from '../person/merge.ts'
import { countedAs, evolveFacts, type LeadFacts } from '../screens/overview.ts'
import { LISTED_EVENTS } from './view.ts'

// The states of each lead, from one instant of the log to the next. The two sums make a year of a million leads fast to
// read: the change that each day of the log made to the leads of a day. The state at the end of a day is the sum up to
// that day.
const tables = (schema: string) => `
  create table ${schema}.facts (
    lead_id uuid not null,
    valid_from timestamptz not null,
    valid_to timestamptz not null default 'infinity',
    submitted_at timestamptz not null,
    source text not null,
    package text not null,
    is_suspect boolean not null,
    is_erased boolean not null,
    is_merged boolean not null default false,
    follow_up_status text not null,
    answered_at timestamptz,
    given_answers jsonb not null default '[]',
    reply_time text not null,
    conversion_date timestamptz,
    project_value double precision,
    won_since timestamptz,
    primary key (lead_id, valid_from)
  );
  create table ${schema}.counts (
    dimension text not null,
    submitted_on date not null,
    recorded_on date not null,
    key text not null,
    leads bigint not null,
    won bigint not null,
    primary key (dimension, submitted_on, recorded_on, key)
  );
  create table ${schema}.won (
    won_on date not null,
    recorded_on date not null,
    leads bigint not null,
    cents bigint not null,
    primary key (won_on, recorded_on)
  );
  create table ${schema}.chat_ratings (
    rated_on date not null,
    score text not null,
    ratings bigint not null,
    primary key (rated_on, score)
  );
  create table ${schema}.support_hours (
    position bigint primary key,
    valid_from timestamptz not null,
    hours jsonb not null
  );
`

const indexes = (schema: string) => `
  create index on ${schema}.facts (submitted_at) where reply_time = 'waiting';
  create index on ${schema}.facts (submitted_at)
    where reply_time = 'waiting' and valid_to = 'infinity' and not is_suspect and not is_erased
      and not is_merged;
`

type FactsRow = {
  lead_id: string
  valid_from: Date
  submitted_at: Date
  source: LeadFacts['source']
  package: LeadFacts['package']
  is_suspect: boolean
  is_erased: boolean
  is_merged: boolean
  follow_up_status: LeadFacts['followUpStatus']
  answered_at: Date | null
  given_answers: LeadFacts['givenAnswers']
  reply_time: LeadFacts['replyTime']
  conversion_date: Date | null
  project_value: number | null
  won_since: Date | null
}

const factsOf = (row: FactsRow): LeadFacts => ({
  submittedAt: row.submitted_at,
  source: row.source,
  package: row.package,
  isFlagged: row.is_suspect,
  isErased: row.is_erased,
  isMerged: row.is_merged,
  followUpStatus: row.follow_up_status,
  answeredAt: row.answered_at?.toISOString() ?? null,
  givenAnswers: row.given_answers,
  replyTime: row.reply_time,
  conversionDate: row.conversion_date?.toISOString() ?? null,
  projectValue: row.project_value,
  wonSince: row.won_since,
})

const rowOf = (leadId: string, validFrom: Date, facts: LeadFacts) => ({
  lead_id: leadId,
  valid_from: validFrom,
  submitted_at: facts.submittedAt,
  source: facts.source,
  package: facts.package,
  is_suspect: facts.isFlagged,
  is_erased: facts.isErased,
  is_merged: facts.isMerged,
  follow_up_status: facts.followUpStatus,
  answered_at: facts.answeredAt,
  given_answers: facts.givenAnswers,
  reply_time: facts.replyTime,
  conversion_date: facts.conversionDate,
  project_value: facts.projectValue,
  won_since: facts.wonSince,
})

/** Sums of differences by their keys. */
const differences = <Key extends object, Sum extends Record<string, number>>() => {
  const sums = new Map<string, Key & Sum>()
  return {
    add: (key: Key, sign: 1 | -1, sum: Sum) => {
      const name = JSON.stringify(key)
      const known = sums.get(name)
      const added = Object.entries(sum).map(([field, value]) => [field, (known?.[field] ?? 0) + sign * value])
      sums.set(name, { ...key, ...Object.fromEntries(added) } as Key & Sum)
    },
    rows: () => [...sums.values()],
  }
}

/** The result of a batch of events: from when each lead is in which state, and the change of the sums on each day. */
const openBatch = (known: Map<string, { facts: LeadFacts; validFrom: Date }>) => {
  const latest = new Map(known)
  const versions = new Map<string, ReturnType<typeof rowOf>>()
  const counts = differences<
    { dimension: string; submitted_on: string; recorded_on: string; key: string },
    { leads: number; won: number }
  >()
  const won = differences<{ won_on: string; recorded_on: string }, { leads: number; cents: number }>()

  const count = (facts: LeadFacts | undefined, sign: 1 | -1, recordedOn: string) => {
    const counted = countedAs(facts)
    if (!counted) return
    const { source, package: wanted, replyTime, wonAt, value } = counted
    const days = { submitted_on: agencyDay(counted.submittedAt), recorded_on: recordedOn }
    const sum = { leads: 1, won: wonAt ? 1 : 0 }
    counts.add({ dimension: 'source', ...days, key: source }, sign, sum)
    counts.add({ dimension: 'package', ...days, key: wanted }, sign, sum)
    if (replyTime) counts.add({ dimension: 'reply', ...days, key: replyTime }, sign, sum)
    const cents = Math.round(value * 100)
    if (wonAt) won.add({ won_on: agencyDay(wonAt), recorded_on: recordedOn }, sign, { leads: 1, cents })
  }

  return {
    take: (leadId: string, event: LeadEvent | MergeEvent, hours: SupportHoursHistory) => {
      const before = latest.get(leadId)
      const facts = evolveFacts(before?.facts, event, hours)
      if (!facts || isDeepStrictEqual(facts, before?.facts)) return
      // a clock that was put back does not let a lead's past begin after its end
      const validFrom = before && before.validFrom > event.recordedAt ? before.validFrom : event.recordedAt
      const recordedOn = agencyDay(validFrom)
      count(before?.facts, -1, recordedOn)
      count(facts, 1, recordedOn)
      latest.set(leadId, { facts, validFrom })
      versions.set(`${leadId} ${validFrom.getTime()}`, rowOf(leadId, validFrom, facts))
    },
    versions: () => [...versions.values()],
    counts: counts.rows,
    won: won.rows,
  }
}

/** The support hours in the log, up to a view's checkpoint. */
export const readHours = async (tx: Queryable, schema: string): Promise<SupportHoursHistory> =>
  await tx<{ validFrom: Date; hours: SupportHours }[]>`
    select valid_from as "validFrom", hours from ${tx(schema)}.support_hours order by position`

const readFacts = async (tx: Queryable, schema: string, ids: string[]) => {
  if (ids.length === 0) return new Map()
  const rows = await tx<FactsRow[]>`
    select * from ${tx(schema)}.facts where lead_id in ${tx(ids)} and valid_to = 'infinity'`
  return new Map(rows.map((row) => [row.lead_id, { facts: factsOf(row), validFrom: row.valid_from }]))
}

const writeVersions = (tx: Queryable, schema: string, rows: ReturnType<typeof rowOf>[]) => tx`
  with fresh as (
    select *, lead(valid_from, 1, 'infinity') over (partition by lead_id order by valid_from) as until
    from jsonb_populate_recordset(null::${tx(schema)}.facts, ${tx.json(rows as never)}::jsonb)
  ), ended as (
    update ${tx(schema)}.facts f set valid_to = n.valid_from
    from (select lead_id, min(valid_from) as valid_from from fresh group by lead_id) n
    where f.lead_id = n.lead_id and f.valid_to = 'infinity' and f.valid_from < n.valid_from
  )
  insert into ${tx(schema)}.facts
  select lead_id, valid_from, until, submitted_at, source, package, is_suspect, is_erased, is_merged,
    follow_up_status, answered_at, given_answers, reply_time,
    conversion_date, project_value, won_since
  from fresh
  on conflict (lead_id, valid_from) do update set valid_to = excluded.valid_to, is_suspect = excluded.is_suspect,
    is_erased = excluded.is_erased, is_merged = excluded.is_merged,
    follow_up_status = excluded.follow_up_status, answered_at = excluded.answered_at,
    given_answers = excluded.given_answers,
    reply_time = excluded.reply_time, conversion_date = excluded.conversion_date,
    project_value = excluded.project_value, won_since = excluded.won_since`

/** Visitors' ratings of their chats, by day: the score of an erased chat identifies no one, and stays. */
const writeRatings = (tx: Queryable, schema: string, events: readonly AnyRecordedEvent[]) => {
  const ratings = differences<{ rated_on: string; score: string }, { ratings: number }>()
  for (const event of events) {
    // a later event only adds a comment
    if (event.type !== 'ChatRated' || event.version > 1) continue
    ratings.add({ rated_on: agencyDay(event.recordedAt), score: event.data.score }, 1, { ratings: 1 })
  }
  return tx`
    insert into ${tx(schema)}.chat_ratings as r
    select * from jsonb_populate_recordset(null::${tx(schema)}.chat_ratings, ${tx.json(ratings.rows())}::jsonb)
    on conflict (rated_on, score) do update set ratings = r.ratings + excluded.ratings`
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const hours = [...(await readHours(tx, schema))]
  const begun = events
    .filter(isLeadEvent)
    .flatMap(({ stream, version }) => (version > 1 ? (leadIdOf(stream) ?? []) : []))
  const ids = [...begun, ...events.filter(isMergeEvent).map(({ stream }) => mergeStreams.idOf(stream) ?? '')]
  const batch = openBatch(await readFacts(tx, schema, [...new Set(ids)]))
  const statements: PromiseLike<unknown>[] = []
  for (const event of events) {
    if (event.type === 'SupportHoursChanged') {
      const { by: _, ...set } = event.data
      hours.push({ validFrom: event.recordedAt, hours: set })
      statements.push(tx`
        insert into ${tx(schema)}.support_hours (position, valid_from, hours)
        values (${event.position}, ${event.recordedAt}, ${tx.json(set)})`)
    }
    if (isLeadEvent(event)) batch.take(leadIdOf(event.stream) ?? '', event, hours)
    if (isMergeEvent(event)) batch.take(mergeStreams.idOf(event.stream) ?? '', event, hours)
  }
  statements.push(
    writeVersions(tx, schema, batch.versions()),
    writeRatings(tx, schema, events),
    tx`
      insert into ${tx(schema)}.counts as c
      select * from jsonb_populate_recordset(null::${tx(schema)}.counts, ${tx.json(batch.counts())}::jsonb)
      on conflict (dimension, submitted_on, recorded_on, key) do update
      set leads = c.leads + excluded.leads, won = c.won + excluded.won`,
    tx`
      insert into ${tx(schema)}.won as w
      select * from jsonb_populate_recordset(null::${tx(schema)}.won, ${tx.json(batch.won())}::jsonb)
      on conflict (won_on, recorded_on) do update
      set leads = w.leads + excluded.leads, cents = w.cents + excluded.cents`,
  )
  return statements
}

/** A chart is less urgent than a lead: events within this time are folded in together, which makes leads faster. */
const WAKE_EVERY_MS = 250

/** The figures of the agency's leads and chats, as of the end of any day. */
export const overviewProjection: Projection = {
  name: 'overview',
  version: 1,
  types: [...LISTED_EVENTS, 'SupportHoursChanged', 'ChatRated'],
  opened: [],
  wakeEveryMs: WAKE_EVERY_MS,
  tables,
  indexes,
  apply,
}
