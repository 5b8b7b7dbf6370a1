-- Lists of leads that somebody has named for themselves: `query` is what the address of the dashboard says.
create table staff_views (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff on delete cascade,
  name text not null,
  query text not null,
  created_at timestamptz not null default now()
);

create unique index staff_views_name on staff_views (staff_id, lower(name));
