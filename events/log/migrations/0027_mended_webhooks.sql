-- `attempts_before` are the attempts from before a delivery was asked for last: pauses between tries grow from there.
alter table webhook_deliveries add column attempts_before integer not null default 0;
-- A restored backup pauses the webhooks that were not: one may have been changed or removed since. Owners see why.
alter table webhooks add column paused_by_restore boolean not null default false;
-- What is under way, and the tests that go to a paused webhook too, are found without reading all that waits.
create index webhook_deliveries_under_way on webhook_deliveries (webhook_id, claimed_until)
  where state = 'waiting' and claimed_until is not null;
create index webhook_deliveries_tests on webhook_deliveries (webhook_id, due_at) where state = 'waiting' and topic = 'test';
