#!/bin/sh
# Installs Tandem on a server with Debian 13 without containers, or repeats the installation with other settings (docs/operating.md): systemd
# units for its processes, and PostgreSQL, Redis, NATS and Caddy of Debian. Run it as root in a permanent clone, such as
# /opt/tandem. It accepts the settings of install.sh. With ONE_PROCESS=true in the environment, the default on a server with less than 3 GB of
# memory, all services run in one process.
set -eu
umask 077
cd "$(dirname "$0")/../.."
etc=${TANDEM_ETC:-/etc}
env_file=$etc/tandem/tandem.env
. deploy/one-server/settings.sh

units=$etc/systemd/system
six_units='tandem@identity tandem@tickets tandem@notifications tandem@integrations tandem@analytics tandem@gateway'
# Contains only letters, digits, - and _, and starts with a letter: NATS would read a number.
secret() { printf s; head -c 32 /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }
# value NAME FILE: the value of a line.
value() { sed -n "s/^$1=//p" "$2" | tail -n 1; }

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -yq --no-install-recommends ca-certificates nodejs npm postgresql redis-server nats-server caddy
}

build() {
  npm ci --no-audit --no-fund
  # One after another: three at a time need 1.6 instead of 1.1 GB of memory, and on two processors they are not faster.
  npx nx run-many -t build --parallel=1
  # The processes run as another user. Clones and builds of root may be readable by root only.
  chmod -R go+rX .
}

# Secrets are generated once; a repeated installation keeps them.
write_environment() {
  install -d -m 0755 "$etc/tandem"
  admin_file=$etc/tandem/admin.env
  # Not for an earlier installation: its links to portals have subdomains.
  if [ ! -f "$env_file" ]; then
    : > "$env_file"
    put SINGLE_ORGANIZATION "${SINGLE_ORGANIZATION:-true}"
  fi
  [ -f "$admin_file" ] || : > "$admin_file"
  for name in CONTEXT_SECRET SESSION_SECRET LINK_SECRET; do [ -n "$(value "$name" "$env_file")" ] || put "$name" "$(secret)"; done
  [ -n "$(value ENCRYPTION_KEYS "$env_file")" ] || put ENCRYPTION_KEYS "k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
  [ -n "$(value REDIS_URL "$env_file")" ] || put REDIS_URL "redis://:$(secret)@127.0.0.1:6379"
  [ -n "$(value NATS_URL "$env_file")" ] || put NATS_URL "nats://tandem:$(secret)@127.0.0.1:4222"
  service_password=$(value DATABASE_SERVICE_PASSWORD "$admin_file")
  if [ -z "$service_password" ]; then
    service_password=$(secret)
    printf 'PG_ADMIN_URL=postgres://tandem_admin:%s@127.0.0.1:5432/postgres\nDATABASE_OWNER_PASSWORD=%s\nDATABASE_SERVICE_PASSWORD=%s\n' \
      "$(secret)" "$(secret)" "$service_password" > "$admin_file"
  fi
  choose_processes
  port=4001
  for name in identity tickets notifications integrations analytics; do
    upper=$(echo "$name" | tr a-z A-Z)
    put "${upper}_DATABASE_URL" "postgres://tandem_$name:$service_password@127.0.0.1:5432/tandem_$name"
    put "${upper}_URL" "http://127.0.0.1:$port"
    # The targets of deploy/monitoring/prometheus-debian.yml. One process has one port.
    if [ "$one_process" = true ]; then put "${upper}_METRICS_PORT" 9400; else put "${upper}_METRICS_PORT" "$((port + 5400))"; fi
    port=$((port + 1))
  done
  put GATEWAY_METRICS_PORT 9400
  put NODE_ENV production
  put HOST 127.0.0.1
  put WEB_ROOT "$PWD/web/dist"
  put ATTACHMENTS_DIR /var/lib/tandem/attachments
  put TRUSTED_PROXIES 127.0.0.1,::1
  put CERTIFICATE_PORT 3001
  put CERTIFICATE_HOSTS_FILE /var/lib/tandem/certificate-hosts.json
  put PUBLIC_URL "https://$DOMAIN"
  put MAIL_DOMAIN "$MAIL_DOMAIN"
  put MAIL_FROM "tandem@$MAIL_DOMAIN"
  put SMTP_URL "$SMTP_URL"
  [ -n "$(value SIGN_UP "$env_file")" ] || put SIGN_UP invite
  id tandem > /dev/null 2>&1 || useradd --system --home-dir /var/lib/tandem --shell /usr/sbin/nologin tandem
  install -d -o tandem -g tandem -m 0750 /var/lib/tandem /var/lib/tandem/attachments
}

# Sets one_process, and the units to start and to stop. A repeated installation keeps the choice.
choose_processes() {
  one_process=${ONE_PROCESS:-$(value ONE_PROCESS "$env_file")}
  if [ -z "$one_process" ]; then
    memory_kb=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' "${MEMINFO:-/proc/meminfo}")
    if [ "$memory_kb" -lt 3000000 ]; then one_process=true; else one_process=false; fi
  fi
  put ONE_PROCESS "$one_process"
  if [ "$one_process" = true ]; then started=tandem@all stopped=$six_units; else started=$six_units stopped=tandem@all; fi
}

password_in() { echo "$1" | sed 's#^[a-z]*://[^:]*:\([^@]*\)@.*#\1#'; }

configure_servers() {
  systemctl enable --now postgresql
  password=$(password_in "$(value PG_ADMIN_URL "$etc/tandem/admin.env")")
  # The password is passed on standard input, because arguments are visible to all users. The role is a superuser,
  # because backups read the rows of all organizations.
  printf "do \$\$ begin create role tandem_admin; exception when duplicate_object then null; end \$\$;\nalter role tandem_admin superuser login password '%s';\n" "$password" |
    runuser -u postgres -- psql -q -v ON_ERROR_STOP=1
  printf 'requirepass %s\nappendonly yes\nmaxmemory-policy noeviction\n' "$(password_in "$(value REDIS_URL "$env_file")")" > "$etc/redis/tandem.conf"
  chown redis "$etc/redis/tandem.conf"
  grep -q tandem.conf "$etc/redis/redis.conf" || echo "include /etc/redis/tandem.conf" >> "$etc/redis/redis.conf"
  # JetStream syncs every write to disk before it acknowledges it.
  install -d -o nats -g nats -m 0750 /var/lib/nats
  printf 'listen: 127.0.0.1:4222\nserver_name: tandem\njetstream { store_dir: /var/lib/nats, sync_interval: always }\nmax_payload: 4MB\nauthorization { user: tandem, password: %s }\n' \
    "$(password_in "$(value NATS_URL "$env_file")")" > "$etc/nats-server.conf"
  chown nats "$etc/nats-server.conf"
  cp deploy/caddy/Caddyfile "$etc/caddy/Caddyfile"
  chmod 644 "$etc/caddy/Caddyfile"
  install -d -m 0755 "$units/caddy.service.d"
  printf '[Service]\nEnvironment=PRODUCT_HOST=%s GATEWAY_ADDRESS=127.0.0.1:3000 CERTIFICATE_URL=http://127.0.0.1:3001/ "CADDY_GLOBAL_OPTIONS=email %s"\n' \
    "$DOMAIN" "$EMAIL" > "$units/caddy.service.d/tandem.conf"
  chmod 644 "$units/caddy.service.d/tandem.conf"
  # Debian's units start only Redis again after a crash. By default, systemd gives up after five starts in ten seconds.
  for server in postgresql@ nats-server caddy; do
    install -d -m 0755 "$units/$server.service.d"
    printf '[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestart=on-failure\nRestartSec=1\n' > "$units/$server.service.d/restart.conf"
    chmod 644 "$units/$server.service.d/restart.conf"
  done
}

install_units() {
  directory=$(printf '%s' "$PWD" | sed 's/[\\#&]/\\&/g')
  for unit in tandem@.service tandem.target tandem-migrate.service tandem-backup-local.service tandem-backup-local.timer; do
    sed "s#@DIRECTORY@#$directory#" "deploy/one-server/systemd/$unit" > "$units/$unit"
    chmod 644 "$units/$unit"
  done
  systemctl daemon-reload
  systemctl restart redis-server nats-server
  systemctl start tandem-migrate
  systemctl disable --now $stopped
  systemctl enable $started
  systemctl enable tandem.target tandem-backup-local.timer
  systemctl restart tandem.target caddy
  systemctl restart $started
  systemctl start tandem-backup-local.timer
}

tandem() { sh deploy/one-server/tandem.sh "$@"; }

read_options "$@"
[ "$(id -u)" = 0 ] || fail 'Run this script as root.'
command -v apt-get > /dev/null || fail 'This is not Debian.'
ask_settings
check_settings
matches "${ONE_PROCESS:-true}" 'true|false' || fail "ONE_PROCESS is neither true nor false."
install_packages
build
write_environment
configure_servers
install_units
link=$(tandem admin create "$ADMIN" --organization "$ORGANIZATION" 2>&1) || case "$link" in
  *'already a member'* | *'has its organization'*) ;;
  *) printf '%s\n' "$link" >&2; fail 'The admin could not be created.' ;;
esac
tandem doctor || echo 'Correct what doctor reports as ERROR, then run this script again.'
tandem mail test "$ADMIN" || fail 'The mail server did not accept the test email: correct SMTP_URL, and run this script again.'
echo "Tandem is at https://$DOMAIN"
echo "$link"
echo "Copy $etc/tandem to another place: without its ENCRYPTION_KEYS, a backup cannot be restored."
