/** Variables whose values are useful and not secret. */
const shown =
  /^(NODE_ENV|LOG_LEVEL|RUN|PUBLIC_URL|PORTAL_DOMAINS|SINGLE_ORGANIZATION|SITE_ORGANIZATION|MAIL_(DOMAIN|FROM|IN_HOST|IN_PORT)|DKIM_SELECTOR|DNS_SERVERS|NATS_STREAM(_REPLICAS|_MAX_BYTES)?|EVENTS_PREFIX|REDIS_PREFIX|S3_(ENDPOINT|BUCKET|REGION)|ATTACHMENTS_DIR|OUTBOX_KEEP_DAYS|SWEEP_MS|TRUSTED_PROXIES)$/;
const named = /^(DATABASE_\w+|\w+_DATABASE_URL|PG_ADMIN_URL|NATS_URL|REDIS_URL|SMTP_URL|S3_\w+|\w+_CLIENT_ID)$/;
/** Also of other programs: a log may quote them. */
const anySecret = /SECRET|PASSW|TOKEN|CREDENTIAL|_HEADERS$|(^|_)(KEYS?|AUTH|DSN)$/;
export const isShown = (name: string): boolean => shown.test(name);
export const isSecret = (name: string): boolean => !isShown(name) && (named.test(name) || anySecret.test(name));

/** Shorter texts would redact ordinary words. */
const shortestSecret = 6;
/** Runs of characters that are too long to be a coincidence if a secret contains them. */
const runs = /[\w+/=.~-]{16,}/g;
const redacted = '[redacted]';

/**
 * Removes every secret of the environment from all texts in a value: a log line or an error may quote one, possibly in another form (JSON,
 * percent-encoded, base64, hexadecimal, wrapped differently), or only a part of it.
 */
export function redact(value: unknown, env: Record<string, string | undefined> = process.env): unknown {
  const secrets = secretsIn(env);
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const pattern = forms.length === 0 ? undefined : new RegExp(forms.join('|'), 'g');
  const isPart = (text: string): boolean => secrets.some((secret) => secret.replace(/\s/g, '').includes(text));
  const clean = (text: string): string => {
    return (pattern ? text.replace(pattern, redacted) : text)
      .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted)
      .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/"']*):[^\s@/"']+@/gi, `$1:${redacted}@`)
      .replace(runs, (run) => (isPart(run) ? redacted : run));
  };
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (Array.isArray(each)) return each.map(walk);
    if (each === null || typeof each !== 'object' || each instanceof Date) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [clean(key), walk(inner)]));
  };
  return walk(value);
}

/** The values of secret variables, and their parts: each entry of a list, the key in `id:key`, each line of a PEM file. */
function secretsIn(env: Record<string, string | undefined>): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    const passwords = passwordsIn(value);
    if (!isSecret(name)) return passwords;
    const text = value.replaceAll('\\n', '\n').trim();
    const entries = text.split(',').map((entry) => entry.trim());
    const keys = entries.map((entry) => entry.slice(entry.indexOf(':') + 1).trim());
    const body = text.replace(/-----[A-Z ]+-----|\s/g, '');
    return [...passwords, text, body, ...text.split(/\s*\n\s*/), ...entries, ...keys, ...keys.flatMap(decodedKey)];
  });
  return [...new Set(values)].filter((value) => value.length >= shortestSecret && !/^-----[A-Z ]+-----$/.test(value));
}

function passwordsIn(value: string): string[] {
  // The password of a URL may contain a comma or be malformed for a URL parser.
  const raw = [...value.matchAll(/:\/\/[^\s:@/]*:([^\s]+)@/g)].map((match) => match[1]!);
  const url = URL.parse(value);
  const parsed = url ? [url.password, url.searchParams.get('password') ?? '', url.searchParams.get('pass') ?? ''] : [];
  return [...raw, ...parsed].flatMap((password) => [password, decoded(password)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The bytes of an encryption key, as other programs print them. */
function decodedKey(key: string): string[] {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) return [];
  const bytes = Buffer.from(key, 'base64');
  return [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64url'), key.slice(0, -1)];
}

/** Regular expressions that match a secret in each form. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  // The content of a PEM file, with other line breaks.
  const wrapped = /^[A-Za-z0-9+/=]{100,}$/.test(secret) ? [secret.replace(/./g, (char) => `${escaped(char)}(?:\\s|\\\\+[nr])*`)] : [];
  return [
    ...wrapped,
    [...secret].map(charForms).join(''),
    [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join(''),
    ...base64Forms(secret),
  ];
}

/** A literal character, escaped in JSON (also within a JSON string), or percent-encoded once or twice. */
function charForms(char: string): string {
  const code = char.charCodeAt(0);
  const escapes: Record<string, string> = {
    '\n': '\\\\+n',
    '\r': '\\\\+r',
    '\t': '\\\\+t',
    '"': '\\\\+"',
    '\\': '\\\\{2,}',
    '/': '\\\\+\\/',
  };
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25)?${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  const unicode = char.length === 1 ? `|\\\\+u${anyCase(code.toString(16).padStart(4, '0'))}` : '';
  const special = `${escapes[char] ? `|${escapes[char]}` : ''}${char === ' ' ? '|\\+' : ''}`;
  return `(?:${escaped(char)}|${percent}${unicode}${special})`;
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * The characters of base64 that depend on the secret only, for each position that it can have in a group of three bytes: with a user name
 * before it, a header of HTTP Basic contains the password in one of these forms.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = before === 0 ? 0 : before + 1;
    const isCut = (before + bytes.length) % 3 !== 0;
    const own = isCut ? text.slice(first, -1) : text.slice(first);
    return own.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
}
