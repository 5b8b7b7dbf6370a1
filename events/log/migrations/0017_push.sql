-- Notifications of leads that reach a device where no staff page is open (Web Push, RFC 8030).
-- The one key pair by which this site names itself to the services of browsers (RFC 8292). The private half is encrypted by
-- DATA_KEY, as data keys are.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  wrapped bytea not null,
  ring_key text not null
);

-- Where to reach a device, and the keys by which it alone reads what comes (RFC 8291).
create table push_subscriptions (
  endpoint text primary key,
  staff_id uuid not null references staff,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);
create index on push_subscriptions (staff_id, created_at);
