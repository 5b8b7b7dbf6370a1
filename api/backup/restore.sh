#!/bin/sh
# Fills the drill's empty database from the newest dump, before Postgres takes connections. The rights of nodes and workers
# come with the migrations after it.
newest=$(find /dumps -name 'agency-*.dump' | sort | tail -n 1)
if [ -z "$newest" ]; then
  echo 'There is no dump yet' >&2
  exit 1
fi
echo "Restoring $newest"
pg_restore --exit-on-error --no-privileges --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" "$newest"
