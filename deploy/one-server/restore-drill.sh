#!/bin/sh
# Restores the latest backup into separate servers, which are removed afterwards. Fails if the backup cannot be restored.
set -eu
cd "$(dirname "$0")/../.."
drill() { docker compose -p tandem-drill "$@"; }
remove() { drill down --volumes --remove-orphans; }
latest=$(docker compose run --rm -T tools sh -c 'ls -d /backups/20??-??-??T??-??-?? | sort | tail -n 1')
[ -n "$latest" ] || { echo 'There is no backup.' >&2; exit 1; }
remove
trap remove EXIT
drill up -d --wait postgres nats redis
drill run --rm -T -v tandem_backups:/drill:ro tools npx tandem restore "/drill/${latest##*/}"
echo "Restored $latest."
