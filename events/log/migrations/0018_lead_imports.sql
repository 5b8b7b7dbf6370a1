-- Files of leads that staff import. Like the files of chats they are no part of the log: what becomes of their rows is. The
-- bytes are encrypted by a key of their own, which DATA_KEY wraps, and go once the import is over, or after a day.
-- `done_rows` is how far the import, or its undoing, has come.
create table lead_imports (
  id uuid primary key,
  staff_id uuid not null,
  state text not null default 'uploaded' check (state in ('uploaded', 'running', 'done', 'undoing', 'undone')),
  created_at timestamptz not null default clock_timestamp(),
  encoding text not null,
  delimiter text not null,
  total_rows integer not null,
  mapping jsonb,
  adds_duplicates boolean not null default false,
  done_rows integer not null default 0,
  added integer not null default 0,
  skipped integer not null default 0,
  refused integer not null default 0,
  claimed_until timestamptz,
  wrapped bytea,
  ring_key text,
  content bytea
);

-- What is encrypted does not compress.
alter table lead_imports alter column content set storage external;

create index lead_imports_created on lead_imports (created_at);
create index lead_imports_open on lead_imports (created_at) where state in ('running', 'undoing');
