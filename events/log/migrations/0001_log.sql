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
-- events of one request, which is named by the id of its first event, stand or fall together. The caller puts no two requests for one stream into a batch if either
-- expects a version, and no event id twice. Answers a row an event; outcome is
--   appended  stored now
--   known     stored before, with this very payload
--   reused    the id is stored with another payload: the request is refused
--   version   the stream is not at the expected version: the request is refused
-- The head is locked first, in a statement of its own: what looks at versions and ids then sees all that committed
-- before. Each event is looked up by index. The settings leave the planner no other way: it makes its plan while the
-- table is still empty, keeps it, and would read the whole table (or a whole index, to hash it) for each batch later.
create function append_events(batch jsonb)
returns table (request uuid, outcome text, id uuid, "position" bigint, version integer, recorded_at timestamptz)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
#variable_conflict use_column
declare
  head bigint;
  at timestamptz;
begin
  select last_position into strict head from log_head for update;
  at := clock_timestamp();

  return query
  with incoming as (
    select *
    from rows from (
      jsonb_to_recordset(batch) as (
        request uuid, id uuid, stream text, expected integer, type text, "schemaVersion" smallint,
        data jsonb, "subjectId" uuid, personal jsonb
      )
    ) with ordinality as i (
      request, id, stream, expected, type, schema_version, data, subject_id, personal, place
    )
  ),
  found as (
    select i.*, latest.version as stream_version,
      stored.position as stored_position, stored.version as stored_version, stored.recorded_at as stored_at,
      stored.position is not null as is_stored,
      coalesce(
        stored.stream = i.stream and stored.type = i.type and stored.data = i.data
          and stored.subject_id is not distinct from i.subject_id
          and stored.personal is not distinct from i.personal,
        false
      ) as is_same
    from incoming i
    left join lateral (select e.* from events e where e.id = i.id) stored on true
    cross join lateral (
      select coalesce(max(e.version), 0) as version from events e where e.stream = i.stream
    ) latest
  ),
  judged as (
    select f.*,
      case
        when bool_and(f.is_same) over whole then 'known'
        when bool_or(f.is_stored) over whole then 'reused'
        when f.expected <> f.stream_version then 'version'
        else 'appended'
      end as outcome
    from found f
    window whole as (partition by f.request)
  ),
  numbered as materialized (
    select j.*,
      head + count(*) filter (where j.outcome = 'appended') over (order by j.place) as new_position,
      j.stream_version
        + (count(*) filter (where j.outcome = 'appended') over (partition by j.stream order by j.place))::integer
        as new_version
    from judged j
  ),
  inserted as (
    insert into events (position, id, stream, version, type, schema_version, data, subject_id, personal, recorded_at)
    select n.new_position, n.id, n.stream, n.new_version, n.type, n.schema_version, n.data, n.subject_id, n.personal, at
    from numbered n
    where n.outcome = 'appended'
  ),
  advanced as (
    update log_head set last_position = (select max(n.new_position) from numbered n)
    where exists (select from numbered n where n.outcome = 'appended')
  )
  select n.request, n.outcome, n.id,
    case when n.outcome = 'appended' then n.new_position else n.stored_position end,
    case n.outcome when 'appended' then n.new_version when 'known' then n.stored_version else n.stream_version end,
    coalesce(n.stored_at, at)
  from numbered n
  order by n.place;
end
$$;
