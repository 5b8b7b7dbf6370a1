#!/bin/sh
# Dumps the database into /dumps each BACKUP_EVERY_HOURS, without views and data keys, and removes dumps older
# than BACKUP_DAYS once a newer one is whole. `once` as its argument: one dump, and it ends.
#
# A backup is three files, each apart from the others, and DATA_KEY apart from all of them. Redis needs none.
#
#     agency.dump   the database, without views and data keys (pg_dump as below): keep as many as you like
#     keys.jsonl    the data keys, encrypted by DATA_KEY: npm run log -- keys export keys.jsonl
#                   keep only the newest: it opens no dump for people who have been erased since
#     ledger.jsonl  the erasure ledger, ids and times: npm run log -- ledger export ledger.jsonl, after each erasure
#                   keep the newest
#
# The dump comes first and the keys after it, so that no key is missing. Snapshots of the disk and point-in-time
# recovery serve as well; they hold the keys. `npm run log -- export FILE` writes the log alone, in a format that does
# not depend on Postgres; `import` takes it into an empty, migrated database. Through npm, give a file: on standard
# output npm adds lines of its own.
#
# In compose.yaml `backup` runs this script, and `backup-keys` runs keys.sh every 10 minutes. Both are unhealthy once
# they are overdue. Without BACKUP_FOLDER and BACKUP_KEYS_FOLDER they write to volumes of the same disk: set them. How
# to restore: events/restore/restore.ts. The drill (drill.sh) restores the newest backup into a database that is thrown
# away, and checks it.
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
    --exclude-table-data=ring_keys --exclude-table-data=lead_import_keys --file=/dumps/unfinished "$MIGRATIONS_DATABASE_URL" || return 1
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
