#!/bin/sh
# Writes .env with new secrets for docker compose, unless it exists.
set -eu
cd "$(dirname "$0")/../.."
[ -f .env ] && { echo '.env exists: unchanged'; exit 0; }
# Starts with a letter and contains only letters, digits, - and _, so that it needs no escaping in a URL, a command line or nats.conf.
secret() { printf s; head -c 32 /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }
umask 077
# Not .env itself: if this script is interrupted, the next run must not mistake an incomplete file for the complete one.
trap 'rm -f .env.part' EXIT
cat > .env.part <<EOF
POSTGRES_PASSWORD=$(secret)
DATABASE_OWNER_PASSWORD=$(secret)
DATABASE_SERVICE_PASSWORD=$(secret)
NATS_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
CONTEXT_SECRET=$(secret)
SESSION_SECRET=$(secret)
LINK_SECRET=$(secret)
ENCRYPTION_KEYS=k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')
PUBLIC_URL=http://localhost:3000
EOF
# A failure in a substitution does not end the script.
awk '!/^PUBLIC_URL=/ && length($0) < 50 { exit 1 }' .env.part || { echo 'The secrets could not be generated.' >&2; exit 1; }
mv .env.part .env
echo 'Wrote .env. Next: docker compose up'
