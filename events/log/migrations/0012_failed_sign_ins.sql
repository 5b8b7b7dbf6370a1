-- Wrong passwords of the quarter of an hour under way, counted by account: the log gets their number, not each of them.
-- `account` is an account's id, or empty for usernames that nobody has.
create table failed_sign_ins (
  account text collate "C" not null,
  since timestamptz not null,
  failures integer not null default 1,
  primary key (account, since)
);
