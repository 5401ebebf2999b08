#!/bin/sh
# Runs a process of Tandem, or a command of its operator, in an installation without containers: run-process.sh tickets,
# run-process.sh tandem doctor. `all` are the services and the gateway in one process.
set -eu
cd "$(dirname "$0")/../.."
name=$1
shift
node=$(echo "$PWD"/node_modules/node-linux-*/bin/node)
bundle=dist
case "$name" in
  migrate|tandem) exec "$node" "deploy/dist/$name.js" "$@" ;;
  all) cd deploy/dist && bundle=one-process ;;
  gateway) cd gateway ;;
  *) cd "services/$name" ;;
esac
# As in the Dockerfile, where they are explained.
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768
exec "$node" --max-semi-space-size=4 --heap-growing-percent=100 --require "./$bundle/otel.js" "$bundle/main.js"
