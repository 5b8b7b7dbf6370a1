-- While contracts keep a lane busy, what else waits there gets a turn now and then. `turn_at` says when an e-mail got one.
alter table deliveries add column turn_at timestamptz;
create index deliveries_turns on deliveries (turn_at) where turn_at is not null;
