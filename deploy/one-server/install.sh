#!/bin/sh
# Installs Tandem on one server with Docker Compose and Caddy, or repeats the installation with other settings (docs/operating.md).
# Asks for missing values: sh deploy/one-server/install.sh [--domain help.example.com] [--email ops@example.com]
# [--admin you@example.com] [--organization 'Your company'] [--smtp-url smtps://user:password@host] [--mail-domain
# help.example.com] The same names are read from the environment (DOMAIN, EMAIL, ADMIN, ORGANIZATION, SMTP_URL,
# MAIL_DOMAIN), so that a password is not an argument.
set -eu
# .env and the output of the commands contain secrets.
umask 077
cd "$(dirname "$0")/../.."

. deploy/one-server/settings.sh

write_environment() {
  # The volumes contain the previous passwords, so new ones would not match.
  if [ ! -f .env ] && docker volume inspect tandem_postgres > /dev/null 2>&1; then
    fail 'This server has data of an earlier installation, but there is no .env with its secrets: copy that file to this folder.'
  fi
  trap 'rm -f .env.next' EXIT
  is_new=
  [ -f .env ] || is_new=yes
  sh deploy/compose/make-env.sh > /dev/null
  # If it was written manually, it may be readable by every user of the server.
  chmod 600 .env
  put COMPOSE_FILE docker-compose.yml:deploy/caddy/compose.yml:deploy/one-server/compose.yml
  put PUBLIC_URL "https://$DOMAIN"
  put PRODUCT_HOST "$DOMAIN"
  # LOCAL_CERTIFICATES=true: from a certificate authority of the server itself, in a network without access to the internet.
  if [ "${LOCAL_CERTIFICATES:-}" = true ]; then put CADDY_GLOBAL_OPTIONS local_certs; else put CADDY_GLOBAL_OPTIONS "email $EMAIL"; fi
  put SMTP_URL "$SMTP_URL"
  put MAIL_DOMAIN "$MAIL_DOMAIN"
  put MAIL_FROM "tandem@$MAIL_DOMAIN"
  # The server is for one company, so everyone else needs an invitation.
  grep -q '^SIGN_UP=' .env || put SIGN_UP invite
  # Not for an earlier installation: its links to portals have subdomains.
  [ -z "$is_new" ] || put SINGLE_ORGANIZATION "${SINGLE_ORGANIZATION:-true}"
}

ready="fetch('http://127.0.0.1:3000/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"

tandem() { docker compose run --rm -T tools npx tandem "$@"; }

start() {
  # From bundle.sh, for a server without access to the internet.
  if [ -f images.tar ]; then
    echo 'Loading the images of the bundle.'
    docker load -q -i images.tar || fail 'The images could not be loaded. A running installation is unchanged.'
  else
    echo 'Building the images. The first time, this takes several minutes.'
    docker compose build || fail 'The images could not be built. A running installation is unchanged.'
  fi
  echo 'Starting the servers and Tandem.'
  docker compose up -d --no-build || fail 'Tandem could not be started: see docker compose ps and docker compose logs.'
  # Not `up --wait`, which fails because the migrate job ends.
  for _ in $(seq 1 90); do
    docker compose exec -T gateway node -e "$ready" > /dev/null 2>&1 && return 0
    sleep 2
  done
  fail 'Tandem is not ready after 3 minutes: see docker compose ps and docker compose logs.'
}

# Creates the admin of a new installation; a repeated one keeps its organizations.
create_admin() {
  # The output is not stored in a file, because it contains a link that sets the password.
  if link=$(tandem admin create "$ADMIN" --organization "$ORGANIZATION" 2>&1); then return 0; fi
  case "$link" in
    *'already a member'*) link="$ADMIN is a member of an organization already." ;;
    *'has its organization'*) link='The organization exists already.' ;;
    *) printf '%s\n' "$link" >&2; fail 'The admin could not be created.' ;;
  esac
}

schedule_backups() {
  units=${SYSTEMD_UNITS:-/etc/systemd/system}
  if command -v systemctl > /dev/null && [ -d "$units" ]; then
    [ -w "$units" ] || fail "$units cannot be written: run this script as root, which installs the timers of the backups."
    directory=$(printf '%s' "$PWD" | sed 's/[\\#&]/\\&/g')
    for unit in tandem-backup tandem-restore-drill; do
      for kind in service timer; do
        sed "s#@DIRECTORY@#$directory#" "deploy/one-server/systemd/$unit.$kind" > "$units/$unit.$kind"
        # Other users must be able to read units, which contain no secret.
        chmod 644 "$units/$unit.$kind"
      done
    done
    systemctl daemon-reload
    systemctl enable --now tandem-backup.timer tandem-restore-drill.timer
  else
    echo 'This machine has no systemd: run deploy/one-server/backup.sh every night, and deploy/one-server/restore-drill.sh every week.'
  fi
}

read_options "$@"
command -v docker > /dev/null || fail 'Docker is not installed: https://docs.docker.com/engine/install/'
docker compose version > /dev/null 2>&1 || fail 'The Compose plugin of Docker is not installed.'
# Without an answer, the volumes of an earlier installation would seem not to exist, and new passwords would be written.
docker info > /dev/null 2>&1 || fail 'Docker is not running, or this user may not use it: run this script as root after systemctl start docker.'
ask_settings
check_settings
write_environment
start
create_admin
echo 'Checking the installation:'
tandem doctor || echo 'Correct what doctor reports as ERROR, then run this script again.'
tandem mail test "$ADMIN" || fail 'The mail server did not accept the test email: correct SMTP_URL, and run this script again.'
schedule_backups
echo "Tandem is at https://$DOMAIN"
echo "$link"
echo 'Copy .env to another place: without its ENCRYPTION_KEYS, a backup cannot be restored.'
