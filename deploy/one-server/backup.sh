#!/bin/sh
# Backs up to a new folder of the volume `backups` and removes the oldest ones: the last KEEP_BACKUPS (14) remain.
set -eu
cd "$(dirname "$0")/../.."
keep=${KEEP_BACKUPS:-14}
case "$keep" in ''|*[!0-9]*|0) echo "KEEP_BACKUPS must be a number above 0, not $keep" >&2; exit 1 ;; esac
docker compose run --rm -T tools npx tandem backup "/backups/$(date -u +%Y-%m-%dT%H-%M-%S)"
# Only after a successful backup, and only folders of this script. A folder without manifest.json is a backup that failed.
docker compose run --rm -T -e "KEEP=$keep" tools sh -c '
  cd /backups
  for folder in 20??-??-??T??-??-??; do [ -e "$folder/manifest.json" ] || rm -rf "./$folder"; done
  ls -d 20??-??-??T??-??-?? | sort -r | tail -n "+$((KEEP + 1))" | while read -r folder; do rm -rf "./$folder"; done'
