-- The keys of the files that staff import, apart from the files: dumps of the database leave this table out, so that none
-- holds both. A key goes with its file, and an import that lacks it has failed.
create table lead_import_keys (
  import_id uuid primary key references lead_imports on delete cascade,
  wrapped bytea not null,
  ring_key text not null
);

-- The planner's statistics would keep samples of keys.
alter table lead_import_keys alter column wrapped set statistics 0;

-- The addresses and numbers of people who were erased while a file waited or was imported, encrypted by the file's key:
-- its rows about them are left out. They go with the file.
create table lead_import_erasures (
  import_id uuid not null references lead_imports on delete cascade,
  person bytea not null,
  erased_by uuid not null,
  primary key (import_id, person)
);

alter table lead_import_erasures alter column person set statistics 0;

-- Counts how often people were noted there: a worker that did not know of the last of them looks at all rows again.
alter table lead_imports add column erasures integer not null default 0;
