-- The session by which a device asked for notifications: it is told of leads while that goes on, whoever ends it, also an older
-- node. Null for what an older node keeps, until a page of the device asks again: it is told nothing until then.
alter table push_subscriptions add column session_id uuid references staff_sessions (id) on delete cascade;

create index on push_subscriptions (session_id);
