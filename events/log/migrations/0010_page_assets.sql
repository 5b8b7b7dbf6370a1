-- The scripts, styles and pictures of the versions that run, or ran within a day, so that every node has what a page of
-- another version asks for. Their names hold a hash of what they are.
create table page_assets (
  name text primary key,
  type text not null,
  body bytea not null,
  br bytea,
  gzip bytea,
  -- when a node of a version that has it last said so
  served_at timestamptz not null default now()
);
