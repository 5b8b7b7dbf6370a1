-- What has to go out by e-mail, one row an event that asks for it. The worker claims a row, sends and records here what
-- came of it: this table, not the queue, decides what is sent. `outcome` is an event that is still to be appended.
-- `recipient` says whom it goes to, never the address. `asked_at` is when it was asked for, or asked for again.
-- `resend_position` is the last event that asked for it again, so that taking that event twice resets it once;
-- `attempts_before` are the attempts from before that. Of an erased person nothing is sent any more.
create table deliveries (
  event_id uuid primary key,
  event_position bigint not null,
  stream text not null,
  state text not null default 'pending',
  recipient text not null default 'agency' check (recipient in ('agency', 'visitor')),
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  claimed_until timestamptz,
  last_answer text,
  outcome jsonb,
  resend_position bigint not null default 0,
  is_erased boolean not null default false,
  updated_at timestamptz not null default now()
);

create index deliveries_due on deliveries (due_at) where state not in ('delivered', 'outbox', 'rejected');
create index deliveries_outcome on deliveries (updated_at) where outcome is not null;
create index deliveries_outbox on deliveries (event_position) where state = 'outbox';
create index deliveries_state on deliveries (state, event_position desc);
create index deliveries_newest on deliveries (event_position desc);
create index deliveries_stream on deliveries (stream);

-- What may need somebody: few among all that has gone out. Queries that name this very condition read these alone.
create index deliveries_open on deliveries (event_position desc)
where state not in ('delivered', 'outbox') and (state <> 'rejected' or recipient = 'agency');

-- Every try of a delivery, the newest of them: when it began, what came of it and what the other side said. A try whose
-- worker died has no kind.
create table delivery_tries (
  event_id uuid not null references deliveries on delete cascade,
  attempt integer not null,
  tried_at timestamptz not null default now(),
  kind text,
  answer text,
  primary key (event_id, attempt)
);
