-- Tables that have held something of people who have been erased since. Postgres leaves a removed row in its file until
-- the place is used again: these are written into new files within a day. A view is named with its version; of other
-- tables that is 0. `since` is the first erasure that waits, `last_at` the last one. A worker that rewrites holds a claim.
create table rewrites (
  name text,
  version integer,
  since timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  claimed_until timestamptz,
  primary key (name, version)
);

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

-- A sample of a column is kept in the planner's statistics: none of what other sides answered is.
alter table deliveries alter column last_answer set statistics 0;
alter table delivery_tries alter column answer set statistics 0;
