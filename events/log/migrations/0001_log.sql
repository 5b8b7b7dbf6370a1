-- The log. Its positions are dense and in commit order, which a sequence's are not: readers of "position > last" would
-- skip what commits late. A row is never changed and never removed.

-- The epoch names this history of the log. A restored backup gets a new one.
create table log_epoch (
  is_only boolean primary key default true check (is_only),
  epoch uuid not null default gen_random_uuid()
);

insert into log_epoch default values;

-- `data` holds nothing that a person wrote or that tells who they are. `personal` does: it is encrypted by the data key
-- of `subject_id`. `hash` chains each row to all before it: JSON is kept as the text that it came as.
create table events (
  position bigint primary key,
  id uuid not null unique,
  stream text collate "C" not null,
  version integer not null,
  type text collate "C" not null,
  schema_version smallint not null,
  data json not null,
  subject_id uuid,
  personal bytea,
  metadata json not null,
  recorded_at timestamptz not null,
  hash bytea not null,
  unique (stream, version)
);

-- The head: where the log ends. Nothing keeps it, so that no chain of dead rows grows with the log under a long snapshot.
create view log_head as
select epoch, (select coalesce(max(position), 0) from events) as last_position from log_epoch;

-- The bytes of an event that its hash covers: the row in Postgres's binary format, which is the same in every version.
create function event_bytes(
  "position" bigint, id uuid, stream text, version integer, type text, schema_version smallint, data json,
  subject_id uuid, personal bytea, metadata json, recorded_at timestamptz
) returns bytea
language sql stable parallel safe
return record_send(
  row("position", id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at)
);

-- SHA-256 over the hash before it and the event's bytes. The chain begins with 32 bytes of zero.
create function extend_chain(hash bytea, first bytea, bytes bytea) returns bytea
language plpgsql immutable parallel safe
as $$ begin return sha256(coalesce(hash, first) || bytes); end $$;

create aggregate chain(first bytea, bytes bytea) (sfunc = extend_chain, stype = bytea);

-- A batch as the appender writes it: a line an event, with tabs between the fields, which takes half the time to read that
-- JSON takes. An empty field is null. `nth` counts the events of the batch for one stream.
create function batch_events(batch text)
returns table (
  place bigint, nth integer, request uuid, id uuid, stream text, expected integer, type text, schema_version smallint,
  data json, subject_id uuid, personal bytea, metadata json, wrapped bytea, ring_key text
)
language sql stable parallel safe
as $$
  select l.place, f[1]::integer, f[2]::uuid, f[3]::uuid, f[4], nullif(f[5], '')::integer, f[6], f[7]::smallint, f[8]::json,
    nullif(f[9], '')::uuid, decode(nullif(f[10], ''), 'base64'), f[11]::json, decode(nullif(f[12], ''), 'base64'),
    nullif(f[13], '')
  from (
    select string_to_array(line, E'\t') as f, t.place from string_to_table(batch, E'\n') with ordinality as t (line, place)
  ) l
$$;

-- The streams that requests rely on: a line a guard, with the request, the stream and the version that it has to be at.
create function batch_guards(guards text)
returns table (request uuid, stream text, version integer)
language sql stable parallel safe
as $$
  select f[1]::uuid, f[2], f[3]::integer
  from (select string_to_array(line, E'\t') as f from string_to_table(nullif(guards, ''), E'\n') as t (line)) l
$$;

-- Appends a batch, in order (see batch_events). The events of one request, which is named by the id of its first event,
-- are stored all or none. `wrapped` and `ring_key` propose a key for a subject that may have none. The caller puts no two
-- requests for one stream into a batch if either expects a version or is guarded by it, and no event id twice. Where
-- nothing stands against the batch it is stored as a whole, and the answer is one row: outcome `whole`, the position
-- before the first event, and the versions of all events in order. Else the answer is a row an event; outcome is
--   appended  stored now
--   erased    the subject's key was destroyed: the request is refused, also where it was stored before
--   known     stored before, with this very content
--   key       the subject has another key than the one proposed: encrypt with that one
--   reused    the id is stored with other content: the request is refused
--   guard     a guard is not at its version: the request is refused; `version` is where it is
--   version   the stream is not at the expected version: the request is refused
-- `is_flushed` says that the commit waits for the disk. Only an append that nobody else waits for does: `is_alone` says so
-- of the calling process, the lock of all others. Else the disk would be waited for under the lock, by one writer after the
-- other. After such an append the caller waits for a flush (durable.ts) before it tells anybody. So does who reads the log,
-- before anything of it leaves Postgres. Inside Postgres nothing has to wait: a commit that rests on an event comes after
-- it on the disk.
-- The lock comes first, in a statement of its own: the statements after it see all that committed before. Nearly always
-- nothing stands against a batch: it is stored by the least that shows it, index look-ups of one row and the constraints;
-- what was done is undone where something does. Then each request is judged by itself.
-- The settings leave the planner no other way than by index: it makes its plan while the table is still empty, keeps it,
-- and would read the whole table (or a whole index, to hash it) for each batch later; scalar subqueries are never made into
-- joins. Without just-in-time compilation: to switch sequential scans off makes any plan look so dear before Postgres 18
-- that each call would be compiled.
create function append_events(batch text, guards text, is_alone boolean default true)
returns table (
  request uuid, outcome text, id uuid, "position" bigint, version integer, recorded_at timestamptz, versions text,
  is_flushed boolean
)
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
#variable_conflict use_column
declare
  waits_for_disk boolean;
  head bigint;
  head_hash bytea;
  at timestamptz;
  line text;
  f text[];
  place integer := 0;
  base integer;
  chained bytea;
  subject uuid;
  stored text := '';
  proposed integer := 0;
  new_subjects uuid[];
  wrapped_keys bytea[];
  wrapped_by text[];
  ids uuid[];
  streams text[];
  new_versions integer[];
  types text[];
  schema_versions smallint[];
  contents text[];
  subjects uuid[];
  sealed bytea[];
  origins text[];
  hashes bytea[];
begin
  waits_for_disk := is_alone and pg_try_advisory_xact_lock(7283109);
  if not waits_for_disk then
    perform pg_advisory_xact_lock(7283109);
    perform set_config('synchronous_commit', 'off', true);
  end if;
  select e.position, e.hash into head, head_hash from events e order by e.position desc limit 1;
  if head is null then
    head := 0;
    head_hash := decode(repeat('00', 32), 'hex');
  end if;
  at := clock_timestamp();
  chained := head_hash;

  begin
    if guards <> '' then
      perform from batch_guards(guards) g
      where g.version <> (select coalesce(max(e.version), 0) from events e where e.stream = g.stream);
      if found then
        raise sqlstate 'AG001';
      end if;
    end if;
    foreach line in array string_to_array(batch, E'\n') loop
      place := place + 1;
      f := string_to_array(line, E'\t');
      base := 0; -- a stream that should not be there and is has an event 1
      if f[5] <> '0' then
        base := coalesce((select e.version from events e where e.stream = f[4] order by e.version desc limit 1), 0);
        if f[5] <> '' and f[5]::integer <> base then
          raise sqlstate 'AG001';
        end if;
      end if;
      subject := nullif(f[9], '')::uuid;
      if f[12] <> '' then
        if proposed = 0 or subject <> new_subjects[proposed] then
          proposed := proposed + 1;
          new_subjects[proposed] := subject;
          wrapped_keys[proposed] := decode(f[12], 'base64');
          wrapped_by[proposed] := f[13];
        end if;
      elsif f[10] <> '' and exists (
        select from subject_keys k where k.subject_id = subject and k.destroyed_at is not null
      ) then
        raise sqlstate 'AG001';
      end if;
      ids[place] := f[3]::uuid;
      streams[place] := f[4];
      new_versions[place] := base + f[1]::integer;
      types[place] := f[6];
      schema_versions[place] := f[7]::smallint;
      contents[place] := f[8];
      subjects[place] := subject;
      sealed[place] := decode(nullif(f[10], ''), 'base64');
      origins[place] := f[11];
      chained := extend_chain(
        chained, null,
        event_bytes(
          head + place, ids[place], f[4], new_versions[place], f[6], schema_versions[place], f[8]::json, subject,
          sealed[place], f[11]::json, at
        )
      );
      hashes[place] := chained;
      stored := stored || ' ' || new_versions[place];
    end loop;
    if proposed > 0 then
      insert into subject_keys (subject_id, wrapped, ring_key) select * from unnest(new_subjects, wrapped_keys, wrapped_by);
    end if;
    insert into events (
      position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash
    )
    select head + e.place, e.id, e.stream, e.version, e.type, e.schema_version, e.data::json, e.subject_id, e.personal,
      e.metadata::json, at, e.hash
    from unnest(
      ids, streams, new_versions, types, schema_versions, contents, subjects, sealed, origins, hashes
    ) with ordinality as e (
      id, stream, version, type, schema_version, data, subject_id, personal, metadata, hash, place
    );
    return query
    select null::uuid, 'whole', null::uuid, head, null::integer, at, ltrim(stored), waits_for_disk;
    return;
  exception
    when unique_violation or sqlstate 'AG001' then null;
  end;

  insert into subject_keys (subject_id, wrapped, ring_key)
  select i.subject_id, i.wrapped, i.ring_key from batch_events(batch) i where i.wrapped is not null
  on conflict do nothing;

  return query
  with guarded as materialized (
    select g.request, min(latest.version) as version
    from batch_guards(guards) g
    cross join lateral (
      select coalesce(max(e.version), 0) as version from events e where e.stream = g.stream
    ) latest
    where latest.version <> g.version
    group by g.request
  ),
  found as (
    select i.*, latest.version as stream_version, guarded.version as guard_version,
      stored.position as stored_position, stored.version as stored_version, stored.recorded_at as stored_at,
      stored.position is not null as is_stored,
      coalesce(
        stored.stream = i.stream and stored.type = i.type and stored.data::jsonb = i.data::jsonb
          and stored.subject_id is not distinct from i.subject_id
          and stored.personal is not distinct from i.personal,
        false
      ) as is_same,
      i.personal is not null and key.destroyed_at is not null as is_erased,
      i.wrapped is not null and key.wrapped is distinct from i.wrapped as has_other_key
    from batch_events(batch) i
    left join lateral (select e.* from events e where e.id = i.id) stored on true
    left join lateral (select k.* from subject_keys k where k.subject_id = i.subject_id) key on true
    left join guarded on guarded.request = i.request
    cross join lateral (
      select coalesce(max(e.version), 0) as version from events e where e.stream = i.stream
    ) latest
  ),
  judged as (
    select f.*,
      case
        when bool_or(f.is_erased) over whole then 'erased'
        when bool_and(f.is_same) over whole then 'known'
        when bool_or(f.has_other_key) over whole then 'key'
        when bool_or(f.is_stored) over whole then 'reused'
        when f.guard_version is not null then 'guard'
        when f.expected <> f.stream_version then 'version'
        else 'appended'
      end as outcome
    from found f
    window whole as (partition by f.request)
  ),
  numbered as (
    select j.*,
      head + count(*) filter (where j.outcome = 'appended') over (order by j.place) as new_position,
      j.stream_version
        + (count(*) filter (where j.outcome = 'appended') over (partition by j.stream order by j.place))::integer
        as new_version
    from judged j
  ),
  chained as materialized (
    select n.*,
      chain(
        head_hash,
        event_bytes(
          n.new_position, n.id, n.stream, n.new_version, n.type, n.schema_version, n.data, n.subject_id, n.personal,
          n.metadata, at
        )
      ) filter (where n.outcome = 'appended') over (order by n.place) as new_hash
    from numbered n
  ),
  inserted as (
    insert into events (
      position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash
    )
    select n.new_position, n.id, n.stream, n.new_version, n.type, n.schema_version, n.data, n.subject_id, n.personal,
      n.metadata, at, n.new_hash
    from chained n
    where n.outcome = 'appended'
  )
  select n.request, n.outcome, n.id,
    case when n.outcome = 'appended' then n.new_position else n.stored_position end,
    case n.outcome
      when 'appended' then n.new_version
      when 'known' then n.stored_version
      when 'guard' then n.guard_version
      else n.stream_version
    end,
    coalesce(n.stored_at, at), null::text, waits_for_disk
  from chained n
  order by n.place;
end
$$;

-- Search by any three letters. The extension is a trusted one: an owner of the database may create it.
create extension if not exists pg_trgm;
