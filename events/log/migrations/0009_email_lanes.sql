-- E-mail goes out in lanes, one a transport. `priority`: the smallest goes first (events/email.ts). `share` groups what goes
-- to visitors by the domain of their address, as one of 1024 numbers by a keyed hash: no domain can be told from it, and one
-- that hangs holds up no other. `uncertain_tries` are those since it was asked for that ended without an answer: it may have
-- been sent. `first_tried_at` is the first try since then. `standings` says how each inbox of the agency answered where there
-- are several, by a hash of its address.
alter table deliveries
  add column priority smallint not null default 1,
  add column share smallint,
  add column first_tried_at timestamptz,
  add column uncertain_tries smallint not null default 0,
  add column standings jsonb not null default '{}';

-- What goes out by itself; queries that name this very condition read these alone.
drop index deliveries_due;
create index deliveries_ready on deliveries (priority, event_position)
where share is null and state in ('pending', 'retrying', 'needs_activation', 'blocked');
create index deliveries_share on deliveries (share, priority, event_position)
where share is not null and state in ('pending', 'retrying', 'needs_activation', 'blocked');

-- What may need somebody: nobody here can mend a visitor's address that takes no e-mail.
drop index deliveries_open;
create index deliveries_open on deliveries (event_position desc)
where state not in ('delivered', 'outbox') and (state not in ('rejected', 'expired') or recipient = 'agency');
