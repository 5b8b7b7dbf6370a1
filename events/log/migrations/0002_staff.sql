-- An account that is removed stays, so that the past still tells who did what; its username can be given again.
create table staff (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  display_name text not null,
  password_hash text not null,
  role text not null default 'agent' check (role in ('owner', 'agent')),
  created_at timestamptz not null default now(),
  removed_at timestamptz
);

create unique index staff_username on staff (lower(username)) where removed_at is null;

-- Only a hash of the cookie's token is kept: who reads this table cannot sign in with it.
create table staff_sessions (
  token_hash bytea primary key,
  staff_id uuid not null references staff on delete cascade,
  expires_at timestamptz not null
);

create index staff_sessions_staff on staff_sessions (staff_id);
