-- A restored backup ends the tokens that were good in it: one may have been revoked since. Owners see why, and make a new one.
alter table api_tokens add column ended_by_restore boolean not null default false;
