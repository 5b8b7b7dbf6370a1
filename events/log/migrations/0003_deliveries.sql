-- What has to go out by e-mail, one row an event that asks for it. The worker claims a row, sends and records here what
-- came of it: this table, not the queue, decides what is sent.
create table deliveries (
  event_id uuid primary key,
  event_position bigint not null,
  stream text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  claimed_until timestamptz,
  last_answer text,
  updated_at timestamptz not null default now()
);

create index deliveries_due on deliveries (due_at) where state in ('pending', 'retrying', 'needs_activation');
