#!/bin/sh
# Writes one file with all that install.sh needs on a server without access to the internet: this commit and the images (docs/operating.md).
# Run it in a clone, on a machine with Docker and the same processor architecture: sh deploy/one-server/bundle.sh tandem.tar.gz
set -eu
[ $# -eq 1 ] || { echo 'Name the file to write: sh deploy/one-server/bundle.sh tandem.tar.gz' >&2; exit 1; }
target=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.."

. deploy/one-server/settings.sh

command -v docker > /dev/null || fail 'Docker is not installed: https://docs.docker.com/engine/install/'
[ ! -e "$target" ] || fail "$target exists already."
# Next to the file, because the images take more than a gigabyte.
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Some shells run the line above only if the script ends without a signal.
trap 'exit 1' INT TERM HUP
mkdir "$work/tandem"
# Only what is committed: no .env of this machine, and no changes that have not been tested.
git archive --format=tar -o "$work/source.tar" HEAD || fail 'This folder is not a clone with a commit.'
tar -xf "$work/source.tar" -C "$work/tandem"
cd "$work/tandem"
# Compose refuses to resolve a project without secrets. These are never used.
sh deploy/compose/make-env.sh > /dev/null
put COMPOSE_FILE docker-compose.yml:deploy/caddy/compose.yml:deploy/one-server/compose.yml
put PRODUCT_HOST example.com
echo 'Building and pulling the images. The first time, this takes several minutes.'
docker compose build || fail 'The images could not be built.'
docker compose pull --ignore-buildable || fail 'The images of PostgreSQL, NATS, Redis and Caddy could not be pulled.'
images=$(docker compose config --images) || fail 'The images could not be listed.'
# One argument per name.
# shellcheck disable=SC2086
docker save -o images.tar $(printf '%s\n' "$images" | sort -u) || fail 'The images could not be saved.'
rm .env
tar -czf "$work/bundle" -C "$work" tandem
mv "$work/bundle" "$target"
echo "Wrote $target. On the server: tar -xzf $(basename "$target") && sudo sh tandem/deploy/one-server/install.sh"
