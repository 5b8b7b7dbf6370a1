-- When a webhook was paused because its receiver said that it is gone: then that is `paused_at` too. A later pause for another
-- reason, by an older worker too, leaves the two apart.
alter table webhooks add column gone_at timestamptz;
