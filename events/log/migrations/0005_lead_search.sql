-- Search by any three letters. The extension is a trusted one: an owner of the database may create it.
create extension if not exists pg_trgm;
