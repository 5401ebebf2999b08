#!/bin/sh
# Backs up an installation without containers to a new folder below BACKUPS and removes the oldest ones: the last KEEP_BACKUPS (14) remain.
set -eu
cd "$(dirname "$0")/../.."
keep=${KEEP_BACKUPS:-14}
backups=${BACKUPS:-/var/lib/tandem-backups}
case "$keep" in ''|*[!0-9]*|0) echo "KEEP_BACKUPS must be a number above 0, not $keep" >&2; exit 1 ;; esac
sh deploy/one-server/tandem.sh backup "$backups/$(date -u +%Y-%m-%dT%H-%M-%S)"
# Removes folders only after a successful backup, and only those that this script created. A folder without
# manifest.json is a failed backup.
cd "$backups"
for folder in 20??-??-??T??-??-??; do [ -e "$folder/manifest.json" ] || rm -rf "./$folder"; done
ls -d 20??-??-??T??-??-?? | sort -r | tail -n "+$((keep + 1))" | while read -r folder; do rm -rf "./$folder"; done
