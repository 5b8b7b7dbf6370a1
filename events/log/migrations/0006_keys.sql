-- The keys are beside the log, or in a database of their own (KEYS_DATABASE_URL), where this is the only migration.

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

-- The keys of DATA_KEY that have wrapped data keys, by id. A process that lacks one of them does not start.
create table ring_keys (
  id text primary key
);

-- Writes the table into a new file, so that none holds a destroyed key.
create function rewrite_subject_keys() returns void
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
as $$ begin cluster subject_keys using subject_keys_pkey; end $$;
