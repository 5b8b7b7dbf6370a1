-- The consumers of the log. One row for each name and version, which a step locks and hardly anything changes: a row
-- that changed with every step would leave a chain of dead versions under a long snapshot (a backup), and every step
-- would walk that chain. `filled_at` is null while a view's tables are not filled. Where a consumer halted, and why, is
-- noted beside it; the note counts only as long as the consumer is still at that position.
create table checkpoints (
  consumer text not null,
  version integer not null,
  epoch uuid not null,
  filled_at timestamptz,
  halted_position bigint,
  halt_reason text,
  primary key (consumer, version)
);

-- How far each consumer has come: rows are only added, and the greatest position counts. Older ones are removed in the
-- background, at the other end of the index from where the greatest is looked up.
create table checkpoint_positions (
  consumer text not null,
  version integer not null,
  position bigint not null,
  reached_at timestamptz not null default now(),
  primary key (consumer, version, position)
);

-- Where a consumer is, 0 where nothing is noted: one look-up by index, whatever the planner knew about the size of the table when it made its plan.
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
