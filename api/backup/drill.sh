#!/bin/sh
# Restores the newest backup beside the running product, into a database that is thrown away, as events/restore/restore.ts says.
set -eu
node events/restore/log.cli.ts keys import /keys/keys.jsonl
node events/restore/log.cli.ts restore --ledger /keys/ledger.jsonl
node events/restore/log.cli.ts verify
echo 'The newest backup can be restored'
