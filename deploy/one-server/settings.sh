# Settings that install.sh and install-debian.sh share: reading, checking and writing them. Source it.
env_file=${env_file:-.env}

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

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
  # Characters with a special meaning in .env must be percent-encoded.
  matches "$SMTP_URL" "smtps?://[^[:space:]\"'\$#]+" || fail 'SMTP_URL is not a URL like smtps://user:password@host. Write special characters as %24 and so on.'
}

# put NAME VALUE: sets a line of the file $env_file. Fails without a change if it cannot be read or the disk is full.
put() {
  { awk -v name="$1=" 'index($0, name) != 1' "$env_file" && printf '%s=%s\n' "$1" "$2"; } > "$env_file.next" || fail "$env_file cannot be written."
  mv "$env_file.next" "$env_file"
}

ask_settings() {
  ask DOMAIN 'Domain of the help desk, for example help.example.com:'
  ask EMAIL 'Your email address, for messages about certificates:'
  ask ADMIN 'Email address of the first admin:'
  ask ORGANIZATION 'Name of the organization:'
  ask SMTP_URL 'Mail server for outgoing email, for example smtps://user:password@mail.example.com:'
  MAIL_DOMAIN=${MAIL_DOMAIN:-$DOMAIN}
}
