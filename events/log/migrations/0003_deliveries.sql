-- What has to go out by e-mail, one row an event that asks for it. The worker claims a row, sends and records here what
-- came of it: this table, not the queue, decides what is sent. `outcome` is an event that is still to be appended.
create table deliveries (
  event_id uuid primary key,
  event_position bigint not null,
  stream text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  claimed_until timestamptz,
  last_answer text,
  outcome jsonb,
  updated_at timestamptz not null default now()
);

create index deliveries_due on deliveries (due_at) where state not in ('delivered', 'outbox', 'rejected');
create index deliveries_outcome on deliveries (updated_at) where outcome is not null;
create index deliveries_outbox on deliveries (event_position) where state = 'outbox';
