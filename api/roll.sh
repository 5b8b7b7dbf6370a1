#!/bin/sh
# Replaces the running nodes and workers by those of this folder's version, as many as there are: newer workers first, then
# nodes, older nodes one by one, older workers last. There are always nodes that serve; what nginx hands to one in the moment
# in which it closes is answered with 503. Run it from the repository's root with the variables that `docker compose up` was
# given.
set -eu

running() { docker compose ps --quiet "$1"; }
count() { echo "$1" | grep -c . || true; }
# Stops containers one after the other, each with its time to drain, and removes them.
retire() {
  for container in $1; do
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}
# Starts as many new containers of a service as old ones run, beside them. Where these do not get ready they are removed, and
# the older ones go on.
double() {
  docker compose up --detach --no-deps --no-recreate --wait --wait-timeout 300 --scale "$1=$((2 * $(count "$2")))" "$1" || {
    retire "$(running api | grep -vxF "$nodes")"
    retire "$(running worker | grep -vxF "$workers")"
    echo "The new $1 did not get ready: the older version goes on" >&2
    exit 1
  }
}

nodes=$(running api)
workers=$(running worker)
if [ -z "$nodes" ] || [ -z "$workers" ]; then
  echo 'Nothing runs that could be rolled: docker compose up' >&2
  exit 1
fi
docker compose build api
docker compose run --rm --no-deps migrations
double worker "$workers"
double api "$nodes"
retire "$nodes"
retire "$workers"
echo 'rolled'
