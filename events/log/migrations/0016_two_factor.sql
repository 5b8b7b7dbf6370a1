-- Two-factor sign-in. `totp_event` is the event that turned it on: it holds the secret, encrypted. `totp_step` is the time step
-- of the last code that counted: no code of it, or of an earlier one, counts again.
alter table staff
  add column totp_event uuid,
  add column totp_step bigint not null default 0;

-- Each lets its account in once where there is no phone; only a hash is kept.
create table staff_recovery_codes (
  staff_id uuid not null references staff on delete cascade,
  code_hash bytea not null,
  primary key (staff_id, code_hash)
);

-- One row at most: what owners require of everybody who signs in.
create table sign_in_rules (
  id integer primary key default 1 check (id = 1),
  requires_two_factor boolean not null
);
