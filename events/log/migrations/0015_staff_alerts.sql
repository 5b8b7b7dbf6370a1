-- Which emails about leads an account gets, and where; without an address none. Leads from before `alerts_since` are no
-- news to it.
alter table staff
  add column alert_email text,
  add column alerts_new boolean not null default true,
  add column alerts_late boolean not null default true,
  add column alerts_since timestamptz;

alter table deliveries
  drop constraint deliveries_recipient_check,
  add constraint deliveries_recipient_check check (recipient in ('agency', 'visitor', 'staff'));
