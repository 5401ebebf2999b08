#!/bin/sh
# Installs Tandem on one server with Docker Compose and Caddy, or repeats the installation with other settings (docs/operating.md).
# Asks for what is not given: sh deploy/one-server/install.sh [--domain help.example.com] [--email ops@example.com] [--admin you@example.com]
#   [--organization 'Your company'] [--smtp-url smtps://user:password@host] [--mail-domain help.example.com]
# The same names are read from the environment (DOMAIN, EMAIL, ADMIN, ORGANIZATION, SMTP_URL, MAIL_DOMAIN), so that a password is not an argument.
set -eu
# .env and what the commands print contain secrets.
umask 077
cd "$(dirname "$0")/../.."

fail() { echo "install.sh: $*" >&2; exit 1; }

# ask VARIABLE 'Question': sets the variable from the terminal, unless it is set.
ask() {
  eval "current=\${$1:-}"
  [ -z "$current" ] || return 0
  [ -t 0 ] || fail "$1 is missing: set it, or run this script in a terminal."
  printf '%s ' "$2"
  read -r answer || fail "$1 is missing."
  [ -n "$answer" ] || fail "$1 is missing."
  eval "$1=\$answer"
}

read_options() {
  while [ $# -gt 0 ]; do
    [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value."
    case "$1" in
      --domain) DOMAIN=$2 ;;
      --email) EMAIL=$2 ;;
      --admin) ADMIN=$2 ;;
      --organization) ORGANIZATION=$2 ;;
      --smtp-url) SMTP_URL=$2 ;;
      --mail-domain) MAIL_DOMAIN=$2 ;;
      *) fail "unknown option $1." ;;
    esac
    shift 2
  done
}

line_break='
'
# matches TEXT EXPRESSION: whether the whole text, which must be one line, matches.
matches() {
  case "$1" in *"$line_break"*) return 1 ;; esac
  printf '%s\n' "$1" | grep -Eqx "$2"
}

check_settings() {
  matches "$DOMAIN" '[a-z0-9-]+(\.[a-z0-9-]+)+' || fail "$DOMAIN is not a host name like help.example.com."
  matches "$MAIL_DOMAIN" '[a-z0-9-]+(\.[a-z0-9-]+)+' || fail "$MAIL_DOMAIN is not a domain like help.example.com."
  for address in "$EMAIL" "$ADMIN"; do
    matches "$address" '[^@[:space:]"'"'"'$#{}`\]+@[^@[:space:]"'"'"'$#{}`\]+' || fail "$address is not an email address."
  done
  # Characters that have a meaning in .env: they are written as %.. in a URL.
  matches "$SMTP_URL" "smtps?://[^[:space:]\"'\$#]+" || fail 'SMTP_URL is not a URL like smtps://user:password@host. Write special characters as %24 and so on.'
}

# put NAME VALUE: sets a line of .env. Fails without a change if .env cannot be read or the disk is full.
put() {
  { awk -v name="$1=" 'index($0, name) != 1' .env && printf '%s=%s\n' "$1" "$2"; } > .env.next || fail '.env cannot be written.'
  mv .env.next .env
}

write_environment() {
  # The passwords of its servers are in the volumes: new ones would not fit.
  if [ ! -f .env ] && docker volume inspect tandem_postgres > /dev/null 2>&1; then
    fail 'This server has data of an earlier installation, but there is no .env with its secrets: copy that file to this folder.'
  fi
  trap 'rm -f .env.next' EXIT
  sh deploy/compose/make-env.sh
  # Written by hand, it may be readable by every user of the server.
  chmod 600 .env
  put COMPOSE_FILE docker-compose.yml:deploy/caddy/compose.yml:deploy/one-server/compose.yml
  put PUBLIC_URL "https://$DOMAIN"
  put PRODUCT_HOST "$DOMAIN"
  put CADDY_GLOBAL_OPTIONS "email $EMAIL"
  put SMTP_URL "$SMTP_URL"
  put MAIL_DOMAIN "$MAIL_DOMAIN"
  put MAIL_FROM "tandem@$MAIL_DOMAIN"
  # A server of one company: everyone else needs an invitation.
  grep -q '^SIGN_UP=' .env || put SIGN_UP invite
}

ready="fetch('http://127.0.0.1:3000/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"

tandem() { docker compose run --rm -T tools npx tandem "$@"; }

start() {
  docker compose build || fail 'The images could not be built. A running installation is unchanged.'
  docker compose up -d || fail 'Tandem could not be started: see docker compose ps and docker compose logs.'
  # Not `up --wait`, which fails because the migrate job ends.
  for _ in $(seq 1 90); do
    docker compose exec -T gateway node -e "$ready" > /dev/null 2>&1 && return 0
    sleep 2
  done
  fail 'Tandem is not ready after 3 minutes: see docker compose ps and docker compose logs.'
}

# Has no admin yet: an installation that is repeated keeps its organizations.
create_admin() {
  # Not a file: it would contain a link that sets the password.
  if link=$(tandem admin create "$ADMIN" --organization "$ORGANIZATION" 2>&1); then return 0; fi
  case "$link" in
    *'already a member'*) link="$ADMIN is a member of an organization already." ;;
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
ask DOMAIN 'Domain of the help desk, for example help.example.com:'
ask EMAIL 'Your email address, for messages about certificates:'
ask ADMIN 'Email address of the first admin:'
ask ORGANIZATION 'Name of the organization:'
ask SMTP_URL 'Mail server for outgoing email, for example smtps://user:password@mail.example.com:'
MAIL_DOMAIN=${MAIL_DOMAIN:-$DOMAIN}
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
