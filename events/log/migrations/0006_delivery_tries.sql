-- Every try of a delivery, the newest of them: when it began, what came of it and what the other side said. A try whose
-- worker died has no kind. Addresses are cut out of answers: nothing personal stands here.
create table delivery_tries (
  event_id uuid not null references deliveries on delete cascade,
  attempt integer not null,
  tried_at timestamptz not null default now(),
  kind text,
  answer text,
  primary key (event_id, attempt)
);

-- `recipient` says whom it goes to, never the address. `asked_at` is when it was asked for, or asked for again.
-- `resend_position` is the last event that asked for it again, so that taking that event twice resets it once;
-- `attempts_before` are the attempts from before that.
alter table deliveries
  add column recipient text not null default 'agency' check (recipient in ('agency', 'visitor')),
  add column asked_at timestamptz not null default now(),
  add column resend_position bigint not null default 0,
  add column attempts_before integer not null default 0;

update deliveries d set asked_at = e.recorded_at from events e where e.position = d.event_position;

-- What is known of the last try of those from before tries were kept.
insert into delivery_tries (event_id, attempt, tried_at, kind, answer)
select event_id, attempts, updated_at,
  case state when 'retrying' then 'unknown' when 'pending' then null else state end, last_answer
from deliveries where attempts > 0;

create index deliveries_state on deliveries (state, event_position desc);
create index deliveries_newest on deliveries (event_position desc);
