-- The data keys. They are next to the log, or in a database of their own (KEYS_DATABASE_URL), which has this migration only.

-- The data keys, each encrypted ("wrapped") by the key of DATA_KEY that `ring_key` names. A row without a key is a
-- tombstone: its person has been erased. All tombstones are the ledger of erasures.
create table subject_keys (
  subject_id uuid primary key,
  wrapped bytea,
  ring_key text,
  destroyed_at timestamptz,
  check ((wrapped is null) = (ring_key is null) and (wrapped is null) = (destroyed_at is not null))
);

-- Few among many: the people who have been erased.
create index subject_keys_destroyed on subject_keys (destroyed_at) where destroyed_at is not null;

-- The planner's statistics would keep samples of keys, also of destroyed ones.
alter table subject_keys alter column wrapped set statistics 0;

-- The keys of DATA_KEY that have wrapped data keys, by id. A process that lacks one of them does not start.
create table ring_keys (
  id text primary key
);

-- A table that is rewritten takes along what an older transaction may still see. Raises an error while a transaction is
-- open that began before `at`. Only members of pg_read_all_stats see other users' transactions; backups hold a lock on the
-- table anyway.
create function assert_unseen_since(at timestamptz) returns void
language plpgsql stable
as $$
begin
  if exists (
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start < at
  ) or exists (
    select from pg_prepared_xacts where database = current_database() and prepared < at
  ) then
    raise exception 'a transaction is open that began before %', at using errcode = 'lock_not_available';
  end if;
end
$$;

-- Writes the table into a new file, so that none holds a key that was destroyed before `at`.
create function rewrite_subject_keys(at timestamptz default '-infinity') returns void
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform assert_unseen_since(at);
  cluster subject_keys using subject_keys_pkey;
end
$$;

revoke all on function rewrite_subject_keys from public;

-- The only way in which nodes and workers change this table besides append_events: they cannot exchange a key, or take away
-- a tombstone. A key that was destroyed stays destroyed.
create function destroy_keys(subjects uuid[]) returns void
language sql
security definer
set search_path = pg_catalog, public, pg_temp
as $$
  insert into subject_keys (subject_id, destroyed_at)
  select distinct id, now() from unnest(subjects) as s (id) order by id
  on conflict (subject_id) do update set wrapped = null, ring_key = null, destroyed_at = now()
  where subject_keys.destroyed_at is null
$$;

revoke all on function destroy_keys from public;
