-- What somebody sees of their own sessions, to end one of them: when and where from it began (`From` in
-- events/account-history.ts). Null for those that an older version began. `id` names a session to others than its browser,
-- which has the token.
alter table staff_sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column begun_at timestamptz not null default now(),
  add column begun_from jsonb;
