-- Addresses that other programs are told at, of leads and chats as they happen. A removed one stays for its deliveries, with no
-- more of its address than the origin. While `failing_since` is set nothing has arrived since.
create table webhooks (
  id uuid primary key,
  url text not null,
  topics text[] not null,
  made_by uuid not null references staff,
  made_at timestamptz not null default now(),
  failing_since timestamptz,
  paused_at timestamptz,
  paused_by_failures boolean not null default false,
  removed_at timestamptz
);

-- What messages are signed by, encrypted by DATA_KEY. After a rotation the old one signs too until `ends_at`. They go with their webhook.
create table webhook_secrets (
  id uuid primary key,
  webhook_id uuid not null references webhooks,
  wrapped bytea not null,
  ring_key text not null,
  made_at timestamptz not null default now(),
  ends_at timestamptz
);
create index on webhook_secrets (webhook_id);

-- A message to a webhook about an event of the log. What it says is read as it is sent: nothing personal is in here. `answer` is how
-- the receiver's last answer begins, encrypted by the key of the person that the message is about.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks,
  event_id uuid not null,
  event_position bigint not null,
  topic text not null,
  subject_id uuid,
  happened_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up', 'dropped')),
  attempts integer not null default 0,
  tries jsonb not null default '[]',
  answer bytea,
  first_tried_at timestamptz,
  due_at timestamptz not null default now(),
  claimed_until timestamptz,
  resend_position bigint not null default 0
);
create index webhook_deliveries_newest on webhook_deliveries (event_position, id);
create index webhook_deliveries_of_one on webhook_deliveries (webhook_id, event_position, id);
create index webhook_deliveries_state on webhook_deliveries (state, event_position, id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where state = 'waiting';
create index webhook_deliveries_old on webhook_deliveries (happened_at);
