#!/bin/sh
# The tandem command in an installation without containers, as root: sh deploy/one-server/tandem.sh doctor
set -eu
cd "$(dirname "$0")/../.."
etc=${TANDEM_ETC:-/etc}
# Reads the file line by line, because its values are not quoted for a shell.
while IFS= read -r line; do
  case "$line" in [A-Z]*=*) export "${line%%=*}=${line#*=}" ;; esac
done << LINES
$(cat "$etc/tandem/tandem.env" "$etc/tandem/admin.env")
LINES
exec sh deploy/one-server/run-process.sh tandem "$@"
