#!/bin/sh
# Prints the namespace and the two secrets of the dev overlay, with new values at every call: sh k8s/overlays/dev/make-secrets.sh | kubectl create -f -
set -eu
# Starts with a letter and contains only letters, digits, - and _, so that it needs no escaping in a URL, a command line or nats.conf.
secret() { printf s; head -c 32 /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }
nats=$(secret) redis=$(secret) postgres=$(secret) service=$(secret)
cat <<EOF
apiVersion: v1
kind: Namespace
metadata: { name: tandem, labels: { pod-security.kubernetes.io/enforce: restricted } }
---
apiVersion: v1
kind: Secret
metadata: { name: tandem-secrets, namespace: tandem }
stringData:
  CONTEXT_SECRET: $(secret)
  SESSION_SECRET: $(secret)
  LINK_SECRET: $(secret)
  ENCRYPTION_KEYS: k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')
  NATS_PASSWORD: $nats
  NATS_URL: nats://tandem:$nats@nats:4222
  REDIS_PASSWORD: $redis
  REDIS_URL: redis://:$redis@redis:6379
  SMTP_URL: smtp://mailbox:1025
---
apiVersion: v1
kind: Secret
metadata: { name: tandem-databases, namespace: tandem }
stringData:
  POSTGRES_PASSWORD: $postgres
  PG_ADMIN_URL: postgres://postgres:$postgres@postgres:5432/postgres
  DATABASE_OWNER_PASSWORD: $(secret)
  DATABASE_SERVICE_PASSWORD: $service
EOF
for name in identity tickets notifications integrations analytics; do
  upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
  echo "  ${upper}_DATABASE_URL: postgres://tandem_$name:$service@postgres:5432/tandem_$name"
done
