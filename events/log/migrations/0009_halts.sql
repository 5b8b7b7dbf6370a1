-- Where a consumer of the log halted, and why. It counts as halted while its checkpoint still stands there: a worker of
-- newer code that goes on moves the checkpoint, and the note holds no more.
alter table checkpoints
  add column halted_position bigint,
  add column halt_reason text;
