-- Where a consumer of the log halted, and why. It counts as halted while its checkpoint still stands there: a worker of
-- newer code that goes on moves the checkpoint, and the note holds no more.
-- A consumer that works off what has come together goes on too: it stands still once it has not moved for a while.
alter table checkpoints
  add column halted_position bigint,
  add column halt_reason text,
  add column moved_at timestamptz not null default now();
