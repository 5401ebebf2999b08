#!/bin/sh
# Restores the latest backup into separate servers, which are removed afterwards. Fails if the backup cannot be restored.
set -eu
cd "$(dirname "$0")/../.."
drill() { docker compose -p tandem-drill "$@"; }
remove() { drill down --volumes --remove-orphans; }
# A folder without manifest.json is a backup that is running or has failed.
latest=$(docker compose run --rm -T tools sh -c '
  for folder in /backups/20??-??-??T??-??-??; do [ ! -e "$folder/manifest.json" ] || echo "$folder"; done | sort | tail -n 1')
[ -n "$latest" ] || { echo 'There is no backup.' >&2; exit 1; }
remove
trap remove EXIT
# Without these, sh does not run the line above when it is stopped.
trap 'exit 130' INT
trap 'exit 143' TERM
drill up -d --wait postgres nats redis
drill run --rm -T -v tandem_backups:/drill:ro tools npx tandem restore "/drill/${latest##*/}"
echo "Restored $latest."
