#!/bin/sh
# Replaces the running nodes and workers by those of this folder's version, as many as there are: newer workers first, then
# nodes, older nodes one by one, older workers last. There are always nodes that serve; what nginx hands to one in the moment
# in which it closes is answered with 503. Run it from the repository's root with the variables that `docker compose up` was
# given. Where it was interrupted, run it again: it goes on with what is left of the older version.
#
# While versions overlap, each keeps its own version of a view, in a schema such as view_leads_2, with its own
# checkpoint. Older and newer workers run beside each other, and nodes read the version that they know. A consumer of
# the log passes over types of events that it does not handle. It waits only before an event that it handles in a
# version that it does not know, until a worker that knows it takes over. A consumer that acts on events (it sends, asks or
# erases) has a version of its own: what only newer workers know waits for them. A version of a view that has
# left an event waiting for 12 hours, while another version took it in, is removed.
#
# After an upgrade that changes a view, the newer nodes' lists of it answer 503 until a worker has filled the new
# version from the log: seconds for a small agency, about a minute for a million leads. Nothing that visitors send waits
# for it, and older nodes go on. The live chat lets staff in meanwhile, with what happens from then on, and shows the
# list once it is there.
#
# After a rollback the older view goes on where it is. An erasure that was asked for goes on only with workers that know it:
# before a rollback, wait until `npm run projections -- status` has `erasures` at the head of the log.
#
# Without this script: start the newer workers first, then replace the nodes, and stop the older workers last.
set -eu

running() { docker compose ps --quiet "$1"; }
count() { echo "$1" | grep -c . || true; }
# The running containers of a service that are not of the version that was just built.
older() {
  for container in $(running "$1"); do
    [ "$(docker inspect --format '{{.Image}}' "$container")" = "$newer_image" ] || echo "$container"
  done
}
# Stops containers one after the other, each with its time to drain, and removes them.
retire() {
  for container in $1; do
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}
# Starts as many new containers of a service as old ones run, beside them; those of a roll that was interrupted count. Where
# these do not get ready, what this run has started is removed, and the others go on.
double() {
  [ -n "$2" ] || return 0
  wanted=$((2 * $(count "$2")))
  now=$(count "$(running "$1")")
  [ "$now" -le "$wanted" ] || wanted=$now
  docker compose up --detach --no-deps --no-recreate --wait --wait-timeout 300 --scale "$1=$wanted" "$1" || {
    retire "$(running api | grep -vxF "$nodes_before")"
    retire "$(running worker | grep -vxF "$workers_before")"
    echo "The new $1 did not get ready: the older version goes on" >&2
    exit 1
  }
}

nodes_before=$(running api)
workers_before=$(running worker)
if [ -z "$nodes_before" ] || [ -z "$workers_before" ]; then
  echo 'Nothing runs that could be rolled: docker compose up' >&2
  exit 1
fi
docker compose build api
image=$(docker compose config | awk '/^  [^ ]/ { service = $1 } service == "api:" && $1 == "image:" { print $2 }')
newer_image=$(docker image inspect --format '{{.Id}}' "$image")
nodes=$(older api)
workers=$(older worker)
# All are of this version: the same one with other variables.
if [ -z "$nodes$workers" ]; then
  nodes=$nodes_before
  workers=$workers_before
fi
docker compose run --rm --no-deps migrations
double worker "$workers"
double api "$nodes"
retire "$nodes"
retire "$workers"
echo 'rolled'
