-- The log: one head row, locked to commit, gives out dense positions in commit order. A sequence would not:
-- a reader of "position > last" skips what commits late.
create table log_head (
  is_only boolean primary key default true check (is_only),
  epoch uuid not null default gen_random_uuid(),
  last_position bigint not null default 0
);

insert into log_head default values;

create table events (
  position bigint primary key,
  id uuid not null unique,
  stream text not null,
  version integer not null,
  type text not null,
  schema_version smallint not null,
  data jsonb not null,
  subject_id uuid,
  personal jsonb,
  recorded_at timestamptz not null,
  unique (stream, version)
);

-- Appends a batch: [{ request, id, stream, expected, type, schemaVersion, data, subjectId, personal }], in order; the
-- events of one request stand or fall together. The caller puts no two requests for one stream into a batch if either
-- expects a version, and no event id twice. Answers a row an event; outcome is
--   appended  stored now
--   known     stored before, with this very payload
--   reused    the id is stored with another payload: the request is refused
--   version   the stream is not at the expected version: the request is refused
-- The head is locked first, in a statement of its own: what looks at versions and ids then sees all that committed
-- before. Sequential scans and hash joins are off because the plan may be made while the table is still empty.
create function append_events(batch jsonb)
returns table (request integer, outcome text, id uuid, "position" bigint, version integer, recorded_at timestamptz)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  head bigint;
  at timestamptz;
begin
  select last_position into strict head from log_head for update;
  at := clock_timestamp();

  return query
  with incoming as materialized (
    select *
    from rows from (
      jsonb_to_recordset(batch) as (
        request integer, id uuid, stream text, expected integer, type text, "schemaVersion" smallint,
        data jsonb, "subjectId" uuid, personal jsonb
      )
    ) with ordinality as i (
      request, id, stream, expected, type, schema_version, data, subject_id, personal, place
    )
  ),
  streams as materialized (
    select s.stream, coalesce((select max(e.version) from events e where e.stream = s.stream), 0) as version
    from (select distinct stream from incoming) s
  ),
  matched as materialized (
    select i.request, i.place, i.id, s.version as stream_version, i.expected,
      e.position, e.version, e.recorded_at,
      e.id is not null as is_stored,
      e.stream = i.stream and e.type = i.type and e.data = i.data
        and e.subject_id is not distinct from i.subject_id
        and e.personal is not distinct from i.personal as is_same
    from incoming i
    join streams s using (stream)
    left join events e on e.id = i.id
  ),
  verdicts as materialized (
    select m.request,
      case
        when bool_and(m.is_stored) and bool_and(m.is_same) then 'known'
        when bool_or(m.is_stored) then 'reused'
        when min(m.expected) <> min(m.stream_version) then 'version'
        else 'appended'
      end as outcome
    from matched m
    group by m.request
  ),
  inserted as (
    insert into events (position, id, stream, version, type, schema_version, data, subject_id, personal, recorded_at)
    select head + row_number() over (order by i.place), i.id, i.stream,
      s.version + row_number() over (partition by i.stream order by i.place),
      i.type, i.schema_version, i.data, i.subject_id, i.personal, at
    from incoming i
    join verdicts v using (request)
    join streams s using (stream)
    where v.outcome = 'appended'
    returning events.position, events.id, events.version
  ),
  advanced as (
    update log_head set last_position = head + (select count(*) from inserted)
    where exists (select from inserted)
  )
  select m.request, v.outcome, m.id, coalesce(n.position, m.position),
    coalesce(n.version, m.version, m.stream_version), coalesce(m.recorded_at, at)
  from matched m
  join verdicts v using (request)
  left join inserted n on n.id = m.id
  order by m.place;
end
$$;

-- How far each consumer of the log has come. A projection's `version` is that of the code that filled its tables.
create table checkpoints (
  consumer text primary key,
  epoch uuid not null,
  position bigint not null default 0,
  version integer not null default 1
);
