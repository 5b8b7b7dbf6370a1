#!/bin/sh
# Exports the data keys and the erasure ledger into /keys each 10 minutes, so that they follow each dump and each erasure. Only
# the newest of both is kept (dump.sh says what a backup is). `once` as its argument: once, and it ends.
set -eu
umask 077
EVERY_SECONDS=600

ids() { if [ -e "$1" ]; then grep -o '"subjectId":"[^"]*"' "$1" | sort; fi; }

# Nobody ever leaves either file: an erased key leaves its tombstone. A database that lacks somebody is another one, an empty one
# perhaps, and its file would take away what opens the dumps.
keep() {
  node events/restore/log.cli.ts "$1" export "/keys/$1.new" || return 1
  ids "/keys/$1.jsonl" >/tmp/old
  ids "/keys/$1.new" >/tmp/new
  if [ -n "$(comm -23 /tmp/old /tmp/new)" ]; then
    echo "$1: this database lacks some that were exported before, which are kept: is it the right one?" >&2
    return 1
  fi
  mv "/keys/$1.new" "/keys/$1.jsonl"
}
# One at a time: `once` may be called while the other one exports.
both() {
  exec 9>/keys/lock
  flock 9
  status=0
  keep keys && keep ledger || status=1
  exec 9>&-
  return "$status"
}

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
