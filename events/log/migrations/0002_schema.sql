-- All tables and functions besides the keys (0001_keys.sql): the log, its consumers, staff accounts, email, webhooks, chat, imports,
-- pages, privacy.

-- 1. The log. Its positions are dense and in commit order, which a sequence's are not: readers of "position > last" would skip
-- what commits late. A row is never changed and never removed.

-- `data` holds nothing that a person wrote and nothing that identifies them. `personal` does: it is encrypted by the data key of
-- `subject_id`. `hash` chains each row to all before it: JSON is stored as the text that arrived.
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

-- Identifies this table in this database of this cluster. A dump that is restored elsewhere, or over what was there, brings the
-- home of the log that it was taken from.
create function log_home() returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  cluster text;
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege then
    cluster := '-';
  end;
  return concat_ws(
    '/', cluster, (select oid from pg_database where datname = current_database()), 'public.events'::regclass::oid
  );
end
$$;

-- The epoch names this history of the log. A restored backup gets a new one. `home` is null while a restored or imported log is not
-- ready to be served: nodes and workers start only on a log at home.
create table log_epoch (
  is_only boolean primary key default true check (is_only),
  epoch uuid not null default gen_random_uuid(),
  home text
);

insert into log_epoch (home) values (log_home());

-- The end of the log. It is not stored in a row: such a row would leave a chain of dead versions under a long snapshot.
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

-- A batch as the appender writes it: one line per event, with tabs between the fields, which takes half the time to read that
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

-- The streams that requests rely on: one line per guard, with the request, the stream and the version that it has to be at.
create function batch_guards(guards text)
returns table (request uuid, stream text, version integer)
language sql stable parallel safe
as $$
  select f[1]::uuid, f[2], f[3]::integer
  from (select string_to_array(line, E'\t') as f from string_to_table(nullif(guards, ''), E'\n') as t (line)) l
$$;

-- Appends a batch, in order (see batch_events). The events of one request, which is named by the id of its first event, are stored
-- all or none. `wrapped` and `ring_key` propose a key for a subject that may have none. The caller puts no two requests for one
-- stream into a batch if either expects a version or is guarded by it, and no event id twice. If nothing stands against the batch
-- it is stored as a whole, and one row is returned: outcome `whole`, the position before the first event, and the versions of all
-- events in order. Otherwise one row per event is returned; outcome is
--   appended  stored now
--   erased    the subject's key was destroyed: the request is refused, also if it was stored before
--   known     stored before, with this very content
--   key       the subject has another key than the one proposed: encrypt with that one
--   reused    the id is stored with other content: the request is refused
--   guard     a guard is not at its version: the request is refused; `version` is where it is
--   version   the stream is not at the expected version: the request is refused
-- `is_flushed` says that the commit waits for the disk. Only an append without others waiting does: `is_alone` says so of the
-- calling process, the lock of all others. Otherwise the disk would be waited for under the lock, by one writer after the other.
-- After such an append the caller waits for a flush (durable.ts) before it reports the result. So does a reader of the log, before
-- any of it leaves Postgres. Inside Postgres nothing has to wait: a commit that rests on an event comes after it on the disk.
-- The lock comes first, in a statement of its own: the statements after it see all that committed before. Nearly always nothing
-- stands against a batch: it is stored by the least that shows it, index look-ups of one row and the constraints; what was done is
-- undone otherwise. Then each request is judged by itself. Both ways begin with what there was before the batch: a stream's version
-- is looked up among the positions up to the head.
-- PL/pgSQL prepares each expression again in each transaction, which is most of what one event costs. So up to three events are
-- inserted one by one, which takes few expressions; more of them are collected and inserted together, which takes less for each.
-- The settings leave the planner no other way than by index: it makes its plan while the table is still empty, keeps it, and would
-- read the whole table (or a whole index, to hash it; or a whole stream, by a bitmap) for each batch later; scalar subqueries are
-- never made into joins. Without just-in-time compilation: to switch sequential scans off makes any plan look so dear before
-- Postgres 18 that each call would be compiled.
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
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  waits_for_disk boolean;
  head bigint;
  head_hash bytea;
  at timestamptz;
  lines text[];
  is_small boolean;
  line text;
  f text[];
  place integer := 0;
  base integer;
  new_version integer;
  subject uuid;
  last_subject uuid;
  content bytea;
  chained bytea;
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
    lines := string_to_array(batch, E'\n');
    is_small := cardinality(lines) <= 3;
    foreach line in array lines loop
      place := place + 1;
      f := string_to_array(line, E'\t');
      base := 0; -- a stream that should not be there and is has an event 1
      if f[5] <> '0' then
        base := coalesce((
          select e.version from events e where e.stream = f[4] and e.position <= head order by e.version desc limit 1
        ), 0);
        if f[5] <> '' and f[5]::integer <> base then
          raise sqlstate 'AG001';
        end if;
      end if;
      subject := nullif(f[9], '')::uuid;
      if f[12] <> '' then
        if subject = last_subject then
          null; -- its other event has proposed the key
        elsif is_small then
          insert into subject_keys (subject_id, wrapped, ring_key) values (subject, decode(f[12], 'base64'), f[13]);
        else
          proposed := proposed + 1;
          new_subjects[proposed] := subject;
          wrapped_keys[proposed] := decode(f[12], 'base64');
          wrapped_by[proposed] := f[13];
        end if;
        last_subject := subject;
      elsif f[10] <> '' and exists (
        select from subject_keys k where k.subject_id = subject and k.destroyed_at is not null
      ) then
        raise sqlstate 'AG001';
      end if;
      new_version := base + f[1]::integer;
      content := decode(nullif(f[10], ''), 'base64');
      chained := sha256(
        chained || event_bytes(
          head + place, f[3]::uuid, f[4], new_version, f[6], f[7]::smallint, f[8]::json, subject, content, f[11]::json, at
        )
      );
      stored := stored || ' ' || new_version;
      if is_small then
        insert into events (
          position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash
        )
        values (
          head + place, f[3]::uuid, f[4], new_version, f[6], f[7]::smallint, f[8]::json, subject, content, f[11]::json,
          at, chained
        );
      else
        ids[place] := f[3]::uuid;
        streams[place] := f[4];
        new_versions[place] := new_version;
        types[place] := f[6];
        schema_versions[place] := f[7]::smallint;
        contents[place] := f[8];
        subjects[place] := subject;
        sealed[place] := content;
        origins[place] := f[11];
        hashes[place] := chained;
      end if;
    end loop;
    if proposed > 0 then
      insert into subject_keys (subject_id, wrapped, ring_key) select * from unnest(new_subjects, wrapped_keys, wrapped_by);
    end if;
    if not is_small then
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
    end if;
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

-- 2. Consumers of the log.

-- One row per name and version, which a step locks and hardly anything changes: a row that changed with every step would leave a
-- chain of dead versions under a long snapshot (a backup), and every step would walk that chain. `filled_at` is null while a view's
-- tables are not filled. The position at which a consumer halted, and the reason, count only while it is still there.
create table checkpoints (
  consumer text not null,
  version integer not null,
  epoch uuid not null,
  filled_at timestamptz,
  halted_position bigint,
  halt_reason text,
  primary key (consumer, version)
);

-- How far each consumer has come: rows are only added, and the greatest position counts. Older ones are removed in the background,
-- at the other end of the index from where the greatest is looked up.
create table checkpoint_positions (
  consumer text not null,
  version integer not null,
  position bigint not null,
  reached_at timestamptz not null default now(),
  primary key (consumer, version, position)
);

-- A consumer's position, or 0: one look-up by index, whatever the planner knew about the size of the table when it made its plan.
create function checkpoint_position(of_consumer text, of_version integer)
returns table ("position" bigint, reached_at timestamptz)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select p.position, p.reached_at from checkpoint_positions p
  where p.consumer = of_consumer and p.version = of_version
  order by p.position desc limit 1;
  if not found then return query select 0::bigint, '-infinity'::timestamptz; end if;
end
$$;

-- Tables that have held personal data of people who have been erased since. Postgres leaves a removed row in its file until the place
-- is used again: these tables are written into new files within a day. A view is named with its version; of other tables that is 0.
-- `since` is the first erasure that waits, `last_at` the last one. A worker that rewrites holds a claim.
create table rewrites (
  name text,
  version integer,
  since timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  claimed_until timestamptz,
  primary key (name, version)
);

-- 3. Staff.

-- An account that is removed stays, to show who did what in the past; its username can be given again.
-- `password_link_id` is the newest link by which the account chooses a new password, which closes older ones; `password_link_by` the
-- owner who made it, if one did. `totp_event` is the event that turned two-factor sign-in on: it holds the secret, encrypted.
-- `totp_step` is the time step of the last code that counted: no code of it, or of an earlier one, counts again.
-- `alerts`: those that the account gets, by subject and way (events/staff/staff.ts); without `alert_email` no emails. Leads from before
-- `alerts_since` do not count. `photo` is a few kilobytes; its tag changes with it and names it in its address.
create table staff (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  display_name text not null,
  password_hash text not null,
  role text not null default 'agent' check (role in ('owner', 'agent')),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  password_link_id uuid not null default gen_random_uuid(),
  password_link_by uuid references staff,
  totp_event uuid,
  totp_step bigint not null default 0,
  alert_email text,
  alerts text[] not null default '{new-page,new-device,new-email,late-device,late-email,chat-page,chat-device,handed-page,message-page,webhook-email}',
  alerts_since timestamptz,
  photo bytea,
  photo_tag text,
  leads_layout text not null default 'cards' check (leads_layout in ('cards', 'list'))
);

create unique index staff_username on staff (lower(username)) where removed_at is null;

-- The planner's statistics would keep samples of pictures.
alter table staff alter column photo set statistics 0;

-- Only a hash of the cookie's token is stored: a reader of this table cannot sign in with it. `id` names a session to others than its
-- browser. `begun_from` is `From` of events/staff/account-history.ts. `last_seen_at` is exact to a few minutes: an unused session ends.
-- `confirmed_at` is when the password, and the second factor if there is one, were last given: only for a while after that may an
-- account be changed in what lets people and programs in. `totp_event` is the second factor that the session has proved: that of its
-- account at that time. `is_host_only`: its cookie has the prefix `__Host-`, and no other counts.
create table staff_sessions (
  token_hash bytea primary key,
  id uuid not null default gen_random_uuid() unique,
  staff_id uuid not null references staff on delete cascade,
  begun_at timestamptz not null default now(),
  begun_from jsonb,
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  totp_event uuid,
  is_host_only boolean not null default false
);

create index staff_sessions_staff on staff_sessions (staff_id);

-- Each code lets its account in once without a phone; only a hash is stored.
create table staff_recovery_codes (
  staff_id uuid not null references staff on delete cascade,
  code_hash bytea not null,
  primary key (staff_id, code_hash)
);

-- At most one row: the rules of owners for every sign-in.
create table sign_in_rules (
  id integer primary key default 1 check (id = 1),
  requires_two_factor boolean not null
);

-- Wrong passwords of the current quarter of an hour, counted by account: the log gets their number, not each of them. `account` is an
-- account's id, or empty for unknown usernames.
create table failed_sign_ins (
  account text collate "C" not null,
  since timestamptz not null,
  failures integer not null default 1,
  primary key (account, since)
);

-- Named lists of leads of one account: `query` is the query of the dashboard's address.
create table staff_views (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff on delete cascade,
  name text not null,
  query text not null,
  created_at timestamptz not null default now()
);

create unique index staff_views_name on staff_views (staff_id, lower(name));

-- Tokens by which programs call the API. Only a hash is stored, and the first characters to recognise it by. A revoked token stays, to
-- show what was done with it. A restored backup ends the valid ones: one may have been revoked since.
create table api_tokens (
  id uuid primary key,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  token_hash bytea not null unique,
  made_by uuid not null references staff,
  made_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  ended_by_restore boolean not null default false,
  last_used_at timestamptz
);

-- Notifications on devices of staff without an open page (Web Push, RFC 8030).
-- The one key pair by which this site names itself to the services of browsers (RFC 8292). The private half is encrypted by
-- DATA_KEY, as data keys are.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  wrapped bytea not null,
  ring_key text not null
);

-- The address of a device, and the keys by which it alone reads its messages (RFC 8291). It is notified as long as the session that
-- asked for it.
create table push_subscriptions (
  endpoint text primary key,
  staff_id uuid not null references staff,
  session_id uuid not null references staff_sessions (id) on delete cascade,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);

create index on push_subscriptions (staff_id, created_at);
create index on push_subscriptions (session_id);

-- 4. Email.

-- One row per event that asks for an email. The worker claims a row, sends and records the result here: this table, not the queue,
-- decides what is sent. `outcome` is an event that is still to be appended. `recipient` says whom it goes to, never the address.
-- `asked_at` is when it was asked for, or asked for again. `resend_position` is the last event that asked for it again, so that
-- taking that event twice resets it once; `attempts_before` are the attempts before that. Nothing is sent about an erased person.
-- Emails go out in lanes, one per transport. `priority`: the smallest goes first (events/email/email.ts). While contracts keep a lane busy,
-- the other emails of the lane get a turn now and then, at `turn_at`. `share` groups emails to visitors by the domain of their
-- address, as one of 1024 numbers by a keyed hash: it does not reveal the domain, and a domain that hangs holds up no other.
-- `first_tried_at` is the first try since it was asked for; `uncertain_tries` are those since then that ended without an answer: it
-- may have been sent. `inbox_states` holds the result of each inbox of the agency if there are several, by a hash of its address.
create table deliveries (
  event_id uuid primary key,
  event_position bigint not null,
  stream text not null,
  state text not null default 'pending',
  recipient text not null default 'agency' check (recipient in ('agency', 'visitor', 'staff')),
  priority smallint not null default 1,
  share smallint,
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  uncertain_tries smallint not null default 0,
  asked_at timestamptz not null default now(),
  first_tried_at timestamptz,
  due_at timestamptz not null default now(),
  turn_at timestamptz,
  claimed_until timestamptz,
  last_answer text,
  inbox_states jsonb not null default '{}',
  outcome jsonb,
  resend_position bigint not null default 0,
  is_erased boolean not null default false,
  updated_at timestamptz not null default now()
);

-- Emails that go out by themselves; queries with this very condition read these alone.
create index deliveries_ready on deliveries (priority, event_position)
where share is null and state in ('pending', 'retrying', 'needs_activation', 'blocked');
create index deliveries_share on deliveries (share, priority, event_position)
where share is not null and state in ('pending', 'retrying', 'needs_activation', 'blocked');
create index deliveries_turns on deliveries (turn_at) where turn_at is not null;

-- Emails that may need staff: few of all. Staff cannot mend a visitor's address that takes no email.
create index deliveries_open on deliveries (event_position desc)
where state not in ('delivered', 'outbox') and (state not in ('rejected', 'expired') or recipient = 'agency');

create index deliveries_outcome on deliveries (updated_at) where outcome is not null;
create index deliveries_outbox on deliveries (event_position) where state = 'outbox';
create index deliveries_state on deliveries (state, event_position desc);
create index deliveries_newest on deliveries (event_position desc);
create index deliveries_stream on deliveries (stream);

-- The newest tries of each email: when each began, its result and the answer of the other side. A try whose worker died has no kind.
create table delivery_tries (
  event_id uuid not null references deliveries on delete cascade,
  attempt integer not null,
  tried_at timestamptz not null default now(),
  kind text,
  answer text,
  primary key (event_id, attempt)
);

-- A sample of a column is kept in the planner's statistics: none of these answers is.
alter table deliveries alter column last_answer set statistics 0;
alter table delivery_tries alter column answer set statistics 0;

-- As rewrite_subject_keys.
create function rewrite_deliveries(at timestamptz default '-infinity') returns void
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform assert_unseen_since(at);
  cluster deliveries using deliveries_pkey;
  cluster delivery_tries using delivery_tries_pkey;
end
$$;

-- Passwords of the mail server that owners set, encrypted by DATA_KEY. The settings name the current one.
create table server_passwords (
  id uuid primary key,
  wrapped bytea not null,
  ring_key text not null,
  made_at timestamptz not null default clock_timestamp()
);

-- 5. Webhooks.

-- Addresses of other programs, which are notified of leads and chats as they happen. A removed one stays for its deliveries, with only
-- the origin of its address. While `failing_since` is set nothing has arrived since. `gone_at` is when its receiver answered that it
-- is gone: if that paused the webhook, `paused_at` is equal. A restored backup pauses the active ones: one may have been changed or
-- removed since.
create table webhooks (
  id uuid primary key,
  url text not null,
  topics text[] not null,
  made_by uuid not null references staff,
  made_at timestamptz not null default now(),
  failing_since timestamptz,
  gone_at timestamptz,
  paused_at timestamptz,
  paused_by_failures boolean not null default false,
  paused_by_restore boolean not null default false,
  removed_at timestamptz
);

-- The keys that sign messages, encrypted by DATA_KEY. After a rotation the old one signs too until `ends_at`. They go with their
-- webhook.
create table webhook_secrets (
  id uuid primary key,
  webhook_id uuid not null references webhooks,
  wrapped bytea not null,
  ring_key text not null,
  made_at timestamptz not null default now(),
  ends_at timestamptz
);

create index on webhook_secrets (webhook_id);

-- A message to a webhook about an event of the log. Its content is read as it is sent: nothing personal is in here. `answer` is the
-- beginning of the receiver's last answer, encrypted by the key of the person that the message is about. `attempts_before` are the
-- attempts before it was last asked for: pauses between tries grow from there.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks,
  event_id uuid not null,
  event_position bigint not null,
  topic text not null,
  subject_id uuid,
  happened_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up', 'dropped')),
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  tries jsonb not null default '[]',
  answer bytea,
  first_tried_at timestamptz,
  due_at timestamptz not null default now(),
  claimed_until timestamptz,
  resend_position bigint not null default 0
);

create index webhook_deliveries_newest on webhook_deliveries (event_position, id);
create index webhook_deliveries_of_one on webhook_deliveries (webhook_id, event_position, id);
create index webhook_deliveries_state on webhook_deliveries (state, event_position, id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where state = 'waiting';
create index webhook_deliveries_old on webhook_deliveries (happened_at);

-- Those that are being sent, and tests, which go to a paused webhook too: found without reading all that wait.
create index webhook_deliveries_under_way on webhook_deliveries (webhook_id, claimed_until)
where state = 'waiting' and claimed_until is not null;
create index webhook_deliveries_tests on webhook_deliveries (webhook_id, due_at) where state = 'waiting' and topic = 'test';

-- 6. Chat. Its messages are events. The rest is presence, not history: it is no part of the log, limited for each chat, and expires.

-- How far each side of a chat has received and seen the messages of the other.
create table chat_receipts (
  session_id uuid not null,
  party text not null check (party in ('visitor', 'admin')),
  delivered integer not null,
  seen integer not null,
  noted_on date not null default (now() at time zone 'UTC')::date,
  primary key (session_id, party)
) with (fillfactor = 70);

-- By day, not by instant: a row that is updated again on the same day keeps its index entries (a heap-only update).
create index chat_receipts_noted on chat_receipts (noted_on);

-- The newest pages of each chat's visitor. `version` counts all pages that were stored of a chat, also removed ones.
create table chat_pages (
  session_id uuid not null,
  version integer not null,
  page_url bytea not null,
  viewed_at timestamptz not null default clock_timestamp(),
  primary key (session_id, version)
);

create index chat_pages_viewed on chat_pages (viewed_at);

-- Serialises what is stored and what is removed of a chat's pages and files, until the transaction ends.
create function lock_chat_pages(session uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('chat pages ' || session, 0))
$$;

-- Stores a page as the newest one of its chat, and keeps the newest `keep`. Returns its version and time. Nothing is stored and no
-- row returned if the visitor is on that page already (`is_first`: the page where the chat began), `most` pages have been stored, or
-- the chat has been erased. Equal pages of a chat are encrypted to equal bytes.
-- The lock is taken first: the statements after it see every page, and every erasure, that committed before.
create function note_chat_page(session uuid, page bytea, is_first boolean, keep integer, most integer)
returns table (version integer, viewed_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  newest chat_pages;
  after integer;
begin
  perform lock_chat_pages(session);
  if exists (select from events e where e.stream = 'chat-desk-' || session and e.type = 'ChatErased') then
    return;
  end if;
  select p.* into newest from chat_pages p where p.session_id = session order by p.version desc limit 1;
  after := coalesce(newest.version, 0);
  if after >= most or newest.page_url = page or (after = 0 and is_first) then
    return;
  end if;
  delete from chat_pages p where p.session_id = session and p.version <= after + 1 - keep;
  return query
  insert into chat_pages as stored (session_id, version, page_url) values (session, after + 1, page)
  returning stored.version, stored.viewed_at;
end
$$;

-- The files that visitors and staff send in chats: a message's event names its file, and the bytes expire. Bytes and name are
-- encrypted by the key of the chat's visitor, and deleted when that person is erased. `posted_at` is null until a message is about to
-- name the file: without one it goes after an hour.
create table chat_files (
  id uuid primary key,
  session_id uuid not null,
  party text not null check (party in ('visitor', 'admin')),
  media_type text not null,
  size integer not null check (size > 0),
  name bytea not null,
  bytes bytea not null,
  stored_at timestamptz not null default clock_timestamp(),
  posted_at timestamptz
);

-- Encrypted bytes do not compress.
alter table chat_files alter column bytes set storage external;

create index chat_files_session on chat_files (session_id);
create index chat_files_stored on chat_files (stored_at);
create index chat_files_orphans on chat_files (stored_at) where posted_at is null;

-- Stores a file of a chat. Returns the outcome
--   stored     the file is in the chat
--   chat_full  the chat would hold more than `most_files`, or more than `most_bytes` in all of them
--   full       all chats together would hold more than `most_files_in_all` or `most_bytes_in_all`
--   erased     the chat has been erased and takes no more files
-- The lock of the chat's pages is taken first: the statements after it see every file, and every erasure, that committed before. The
-- second lock keeps the limits of all chats together: it is held for the time of one insert. The sum is over some 100 bytes per
-- file, since the bytes of files are apart from their rows.
create function store_chat_file(
  file uuid, session uuid, sender text, type text, plain_size integer, sealed_name bytea, sealed bytea,
  most_files integer, most_bytes bigint, most_files_in_all integer, most_bytes_in_all bigint
) returns text
language plpgsql as $$
begin
  perform lock_chat_pages(session);
  if exists (select from events e where e.stream = 'chat-desk-' || session and e.type = 'ChatErased') then
    return 'erased';
  elsif (
    select count(*) >= most_files or coalesce(sum(f.size), 0) + plain_size > most_bytes
    from chat_files f where f.session_id = session
  ) then
    return 'chat_full';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('chat files', 0));
  if (
    select count(*) >= most_files_in_all or coalesce(sum(f.size), 0) + plain_size > most_bytes_in_all from chat_files f
  ) then
    return 'full';
  end if;
  insert into chat_files (id, session_id, party, media_type, size, name, bytes)
  values (file, session, sender, type, plain_size, sealed_name, sealed);
  return 'stored';
end
$$;

-- 7. Imports of leads.

-- Files of leads that staff import. Like the files of chats they are no part of the log: the results of their rows are. The bytes are
-- encrypted by a key of their own (lead_import_keys), and go once the import is over, or after a day; if rows were left out, after two
-- days, so that staff can fetch those rows and correct them. `done_rows` is how far the import, or its undoing, has come. `left_out`
-- holds the rows that were left out, each as its line, a word for the reason and the row's number; `incomplete` the rows that were
-- added without a cell that could not be used, each as its line, words for those cells and the row's number: nothing of the rows'
-- content. `claim` identifies the worker: one whose claim ran out notes nothing more. An import that fails is tried again from
-- `retry_at` on, and given up as `failed` after some tries. `erasures` counts the entries of lead_import_erasures: a worker that did
-- not know the last of them looks at all rows again.
create table lead_imports (
  id uuid primary key,
  staff_id uuid not null,
  state text not null default 'uploaded' check (state in ('uploaded', 'running', 'done', 'undoing', 'undone', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  encoding text not null,
  delimiter text not null,
  content bytea,
  total_rows integer not null,
  mapping jsonb,
  adds_duplicates boolean not null default false,
  done_rows integer not null default 0,
  added integer not null default 0,
  skipped integer not null default 0,
  refused integer not null default 0,
  left_out jsonb not null default '[]',
  incomplete jsonb not null default '[]',
  claim uuid,
  claimed_until timestamptz,
  tries integer not null default 0,
  retry_at timestamptz,
  erasures integer not null default 0
);

-- Encrypted bytes do not compress.
alter table lead_imports alter column content set storage external;

create index lead_imports_created on lead_imports (created_at);
create index lead_imports_open on lead_imports (created_at) where state in ('running', 'undoing');

-- The keys of the files, each wrapped by DATA_KEY, apart from the files: dumps of the database leave this table out, so that none holds
-- both. A key goes with its file, and an import that lacks it has failed.
create table lead_import_keys (
  import_id uuid primary key references lead_imports on delete cascade,
  wrapped bytea not null,
  ring_key text not null
);

-- The planner's statistics would keep samples of keys.
alter table lead_import_keys alter column wrapped set statistics 0;

-- The addresses and numbers of people who were erased while a file waited or was imported, encrypted by the file's key: its rows about
-- them are left out. They go with the file.
create table lead_import_erasures (
  import_id uuid not null references lead_imports on delete cascade,
  person bytea not null,
  erased_by uuid not null,
  primary key (import_id, person)
);

alter table lead_import_erasures alter column person set statistics 0;

-- 8. Pages.

-- The scripts, styles and pictures of the versions that run, or ran within a day, so that every node can serve the pages of another
-- version. Their names hold a hash of their content. `served_at` is when a node of a version that has it last said so.
create table page_assets (
  name text primary key,
  type text not null,
  body bytea not null,
  br bytea,
  gzip bytea,
  served_at timestamptz not null default now()
);

-- 9. Privacy.

-- Files of everything that is held about a person. A worker makes each, a ZIP, in parts that are encrypted by the key of
-- `subject_id`: the lead, chat or account from which an owner asked for it. `subjects` are all leads and chats in it: it goes when
-- one of them is erased, and after some days. `up_to` is the position of the log up to which it was read. `claim` identifies the
-- worker; one that dies leaves its claim, which expires.
create table privacy_exports (
  id uuid primary key,
  subject_id uuid not null,
  kind text not null check (kind in ('lead', 'chat', 'account')),
  subjects uuid[] not null,
  made_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  has_notes boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  progress real not null default 0,
  size bigint not null default 0,
  claim uuid,
  claimed_until timestamptz,
  tries integer not null default 0
);

create index privacy_exports_subjects on privacy_exports using gin (subjects);
create index privacy_exports_waiting on privacy_exports (requested_at) where state = 'waiting';

create table privacy_export_parts (
  export_id uuid not null references privacy_exports on delete cascade,
  nth integer not null,
  bytes bytea not null,
  primary key (export_id, nth)
);

-- Encrypted bytes do not compress.
alter table privacy_export_parts alter column bytes set storage external;
alter table privacy_export_parts alter column bytes set statistics 0;
