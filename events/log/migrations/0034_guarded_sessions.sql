-- When a session was used last, to the nearest few minutes: one that nobody uses ends. When the password, and the second factor where
-- there is one, were given last: only a while after that may an account be changed in what lets people and programs in. Null in what
-- an older node begins, which has to be given them again. `is_host_only`: its cookie has the prefix `__Host-`, and no other counts.
alter table staff_sessions
  add column last_seen_at timestamptz not null default now(),
  add column confirmed_at timestamptz,
  add column is_host_only boolean not null default false;

-- The newest link by which an account chooses a new password, which closes older ones, and the owner who made it, if one did.
alter table staff
  add column password_link_id uuid,
  add column password_link_by uuid references staff;
