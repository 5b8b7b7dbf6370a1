#!/bin/sh
# Restores the newest backup beside the running product, into a database that is thrown away, as events/log/restore.ts says.
set -eu
node events/log/log.cli.ts keys import /keys/keys.jsonl
node events/log/log.cli.ts restore --ledger /keys/ledger.jsonl
node events/log/log.cli.ts verify
echo 'The newest backup can be restored'
