-- An account that is removed stays, so that the past still tells who did what; its username can be given again.
alter table staff add column removed_at timestamptz;
drop index staff_username;
create unique index staff_username on staff (lower(username)) where removed_at is null;
