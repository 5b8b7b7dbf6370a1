-- every time
-- Who may do what. The owner of the tables migrates. Nodes and workers log in as members of agency_runtime, which may
-- append to the log by functions only, and change nothing in it. A new table or function for them needs a line here.

-- Nodes compare this with their own migrations; they may not read the table itself.
create or replace function applied_migrations() returns setof text
language sql stable security definer
set search_path = pg_catalog, public, pg_temp
as 'select name from public.migrations';

-- Postgres 14 lets everybody make tables and functions beside ours.
revoke create on schema public from public;

do $$
declare
  granted record;
  called regprocedure;
  view regnamespace;
  kept regclass;
begin
  -- Roles are of the whole cluster: other databases may have this one, or make it at the same moment.
  if not exists (select from pg_roles where rolname = 'agency_runtime') then
    begin
      create role agency_runtime nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise notice 'no role for nodes and workers: % may not create roles', current_user;
        return;
    end;
  end if;

  execute format('grant connect, create on database %I to agency_runtime', current_database());
  grant usage on schema public to agency_runtime;

  -- Not named here: migrations.
  for granted in
    select relation, privileges
    from (
      values
        ('events', 'select'),
        ('log_head', 'select'),
        ('log_epoch', 'select'),
        ('subject_keys', 'select'),
        ('ring_keys', 'select, insert'),
        ('rewrites', 'select, insert, update, delete'),
        ('chat_receipts', 'select, insert, update, delete'),
        ('chat_pages', 'select, insert, update, delete'),
        ('chat_files', 'select, insert, update, delete'),
        ('lead_imports', 'select, insert, update, delete'),
        ('lead_import_keys', 'select, insert, update, delete'),
        ('lead_import_erasures', 'select, insert, delete'),
        ('privacy_exports', 'select, insert, update, delete'),
        ('privacy_export_parts', 'select, insert, update, delete'),
        ('checkpoint_positions', 'select, insert, update, delete'),
        ('checkpoints', 'select, insert, update, delete'),
        ('page_assets', 'select, insert, update, delete'),
        ('push_keys', 'select, insert, update'),
        ('push_subscriptions', 'select, insert, update, delete'),
        ('staff', 'select, insert, update'),
        ('staff_sessions', 'select, insert, update, delete'),
        ('staff_recovery_codes', 'select, insert, delete'),
        ('staff_views', 'select, insert, update, delete'),
        ('sign_in_rules', 'select, insert, update'),
        ('api_tokens', 'select, insert, update'),
        ('webhooks', 'select, insert, update'),
        ('webhook_secrets', 'select, insert, update, delete'),
        ('webhook_deliveries', 'select, insert, update, delete'),
        ('failed_sign_ins', 'select, insert, update, delete'),
        ('server_passwords', 'select, insert, update, delete'),
        ('deliveries', 'select, insert, update, delete'),
        ('delivery_tries', 'select, insert, update, delete')
    ) as wanted (relation, privileges)
  loop
    execute format('revoke all on public.%I from public, agency_runtime', granted.relation);
    execute format('grant %s on public.%I to agency_runtime', granted.privileges, granted.relation);
  end loop;

  -- These run as their owner. With pg_temp last, a temporary table of the caller stands in for none of ours.
  for called in
    select oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace and proname in (
      'append_events', 'applied_migrations', 'destroy_keys', 'rewrite_subject_keys', 'rewrite_deliveries'
    )
  loop
    execute format('alter function %s security definer', called);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', called);
    execute format('revoke all on function %s from public', called);
    execute format('grant execute on function %s to agency_runtime', called);
  end loop;

  -- Views that the owner made, or a restored backup brought, are the workers' from now on.
  for view in
    select oid::regnamespace from pg_namespace
    where nspname like 'view\_%' and nspowner <> 'agency_runtime'::regrole
  loop
    for kept in select oid::regclass from pg_class where relnamespace = view and relkind in ('r', 'v', 'm', 'p') loop
      execute format('alter table %s owner to agency_runtime', kept);
    end loop;
    execute format('alter schema %s owner to agency_runtime', view);
  end loop;
end
$$;
