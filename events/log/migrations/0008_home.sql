-- Where a log is at home: this very table in this database of this cluster. A dump that is restored elsewhere, or over
-- what was there, brings the home of the log that it was taken from.
create function log_home() returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  cluster text;
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege then
    cluster := '-';
  end;
  return concat_ws(
    '/', cluster, (select oid from pg_database where datname = current_database()), 'public.events'::regclass::oid
  );
end
$$;

-- Null while a restored or imported log is not ready to be served. Nodes and workers start only on a log at home.
alter table log_epoch add column home text;

update log_epoch set home = log_home();
