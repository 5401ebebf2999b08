#!/bin/sh
# Writes .env with fresh secrets for docker compose; keeps one that is there.
set -eu
cd "$(dirname "$0")/../.."
[ -f .env ] && { echo '.env is there already: kept'; exit 0; }
# A letter first, and nothing but letters, digits, - and _: good in an address, on a command line and in nats.conf.
secret() { printf s; head -c 32 /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }
umask 077
cat > .env <<EOF
POSTGRES_PASSWORD=$(secret)
DATABASE_OWNER_PASSWORD=$(secret)
DATABASE_SERVICE_PASSWORD=$(secret)
NATS_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
CONTEXT_SECRET=$(secret)
SESSION_SECRET=$(secret)
ENCRYPTION_KEYS=k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')
PUBLIC_URL=http://localhost:3000
EOF
echo 'Wrote .env. Now: docker compose up'
