#!/bin/sh
# Dumps the database into /dumps each BACKUP_EVERY_HOURS, without views and data keys (README: Backup), and removes dumps older
# than BACKUP_DAYS once a newer one is whole. `once` as its argument: one dump, and it ends.
set -eu
umask 077
RETRY_SECONDS=600

# One at a time: `once` may be called while the other one dumps.
dump() {
  exec 9>/dumps/lock
  flock 9
  status=0
  write || status=1
  exec 9>&-
  return "$status"
}
write() {
  name=agency-$(date -u +%Y%m%dT%H%M%SZ).dump
  rm -f /dumps/unfinished
  pg_dump --format=custom --exclude-schema='view_*' --exclude-table-data=subject_keys \
    --exclude-table-data=ring_keys --file=/dumps/unfinished "$MIGRATIONS_DATABASE_URL" || return 1
  chown postgres /dumps/unfinished # the drill's Postgres reads it
  mv /dumps/unfinished "/dumps/$name"
  find /dumps -name 'agency-*.dump' -mtime "+$BACKUP_DAYS" -exec rm {} +
  echo "dumped: $name"
}

if [ "${1:-}" = once ]; then
  dump
  exit
fi
trap 'exit 0' TERM INT
while :; do
  pause=$((BACKUP_EVERY_HOURS * 3600))
  dump || {
    echo 'the dump failed' >&2
    pause=$RETRY_SECONDS
  }
  sleep "$pause" &
  wait $!
done
