#!/bin/sh
# Exports the data keys and the erasure ledger into /keys each 10 minutes, so that they follow each dump and each erasure. Only
# the newest of both is kept (README: Backup). `once` as its argument: once, and it ends.
set -eu
umask 077
EVERY_SECONDS=600

lines() { if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi; }

# Neither file ever becomes shorter: an erased key leaves its tombstone. One that does is another database's, an empty one's
# perhaps, and would take away what opens the dumps.
keep() {
  node events/log/log.cli.ts "$1" export "/keys/$1.new" || return 1
  if [ "$(lines "/keys/$1.new")" -lt "$(lines "/keys/$1.jsonl")" ]; then
    echo "$1: this database has fewer than were exported before, which are kept: is it the right one?" >&2
    return 1
  fi
  mv "/keys/$1.new" "/keys/$1.jsonl"
}
both() { keep keys && keep ledger; }

if [ "${1:-}" = once ]; then
  both
  exit
fi
trap 'exit 0' TERM INT
while :; do
  both || echo 'the keys were not exported' >&2
  sleep "$EVERY_SECONDS" &
  wait $!
done
