-- By these programs call the API. Only a hash of a token is kept, and how it begins, to recognise it by. A revoked token stays, so that
-- the past still tells what was done by it.
create table api_tokens (
  id uuid primary key,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  token_hash bytea not null unique,
  made_by uuid not null references staff,
  made_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
