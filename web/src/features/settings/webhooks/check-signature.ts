import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { t } from '../../../lib/staff-texts';

/** Receivers refuse requests that were signed longer ago, or further in the future. */
const toleranceSeconds = 300;
const encoder = new TextEncoder();

export interface ReceivedRequest {
  body: string;
  /** One per line, or as a JSON object. */
  headers: string;
  secret: string;
}

interface EndpointFacts {
  /** The last characters of the endpoint's current secret. */
  lastFour: string;
}

export interface SignatureCheck {
  result: 'valid' | 'late' | 'invalid';
  /** The finding, in one sentence. */
  finding: string;
  /** What to do about it. */
  advice?: string;
}

const invalid = (finding: string, advice?: string): SignatureCheck => ({ result: 'invalid', finding, ...(advice && { advice }) });

/**
 * Reports whether a received request is signed with the secret and, if it is not, which part of it differs. Web Crypto is not used: it does not
 * exist on plain http. The signature is the developer's own, so the comparison need not take constant time.
 */
export function checkSignature({ body, headers, secret }: ReceivedRequest, { lastFour }: EndpointFacts, now: number): SignatureCheck {
  const key = keyOf(secret.trim());
  if (key === undefined) return invalid(t('settings.webhooks.this_is_not_signing_secret'), t('settings.webhooks.paste_secret_as_shown'));
  const received = parseHeaders(headers);
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !received.get(name));
  if (missing.length > 0)
    return invalid(t('settings.webhooks.missing_missing', { missing: missing.join(', ') }), t('settings.webhooks.paste_all_headers'));
  const request = { id: received.get('webhook-id')!, timestamp: received.get('webhook-timestamp')!, body };
  if (!/^\d{1,12}$/.test(request.timestamp)) return invalid('webhook-timestamp is not a number of seconds.');
  const signatures = received.get('webhook-signature')!.split(/\s+/);
  const matches = (text: string) => signatures.includes(`v1,${base64(sign(key, `${request.id}.${request.timestamp}.${text}`))}`);
  if (matches(body)) return timeCheck(Number(request.timestamp), now);
  const change = changesOf(body).find(({ original }) => matches(original));
  if (change)
    return invalid(
      t('settings.webhooks.body_was_changed_on_the_way', { what: change.what }),
      t('settings.webhooks.verify_bytes_as_they_arrived'),
    );
  return mismatch({ ...request, secret: secret.trim(), lastFour, plain: received.get('x-tandem-signature') });
}

function timeCheck(timestamp: number, now: number): SignatureCheck {
  const age = Math.floor(now / 1_000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return { result: 'valid', finding: t('settings.webhooks.signature_is_right_and_recent') };
  const amount = duration(Math.abs(age));
  return {
    result: 'late',
    finding: age > 0 ? t('settings.webhooks.signature_made_ago', { amount }) : t('settings.webhooks.signature_made_in_future', { amount }),
    advice: age > 0 ? t('settings.webhooks.request_is_old') : t('settings.webhooks.clock_is_slow'),
  };
}

interface Mismatch {
  id: string;
  body: string;
  secret: string;
  lastFour: string;
  /** `X-Tandem-Signature`, which covers only the body. */
  plain: string | undefined;
}

/** Why no signature matches, as far as the request shows it. */
function mismatch({ id, body, secret, lastFour, plain }: Mismatch): SignatureCheck {
  if (plain === `sha256=${hex(sign(encoder.encode(secret), body))}`)
    return invalid(t('settings.webhooks.secret_and_body_are_right'), t('settings.webhooks.paste_headers_of_one_request'));
  if (!secret.endsWith(lastFour))
    return invalid(t('settings.webhooks.another_secret', { lastFour }), t('settings.webhooks.use_secret_of_endpoint'));
  const bodyId = idOf(body);
  if (bodyId === undefined) return invalid(t('settings.webhooks.body_is_changed'), t('settings.webhooks.paste_whole_body'));
  if (bodyId !== id) return invalid(t('settings.webhooks.body_and_headers_differ', { bodyId, id }));
  return invalid(t('settings.webhooks.no_signature_matches'), t('settings.webhooks.compare_body_with_delivery'));
}

interface Change {
  what: string;
  original: string;
}

/** Possible originals of a body that a program has changed in a common way. We send JSON without spaces, in one line. */
function changesOf(body: string): Change[] {
  const trimmed = body.replace(/^\uFEFF/, '').trim();
  const changes = [{ what: t('settings.webhooks.spaces_were_added'), original: trimmed }];
  const parsed = parse(trimmed);
  if (parsed !== undefined) changes.push({ what: t('settings.webhooks.json_was_parsed_and_serialized'), original: JSON.stringify(parsed) });
  if (typeof parsed === 'string') changes.push({ what: t('settings.webhooks.json_was_serialized_twice'), original: parsed });
  changes.push({ what: t('settings.webhooks.characters_were_decoded'), original: fromLatin1(trimmed) });
  return changes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON
  }
}

/** Repairs UTF-8 that was read byte by byte: `Ã¼` becomes `ü`. Other text is returned unchanged. */
function fromLatin1(text: string): string {
  if (/[^\0-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

function idOf(body: string): string | undefined {
  const parsed = parse(body);
  const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** `Name: value` per line, also as options of curl (`-H 'Name: value'`), or a JSON object. Names are in lower case. */
function parseHeaders(text: string): Map<string, string> {
  const parsed = parse(text);
  const pairs =
    typeof parsed === 'object' && parsed !== null
      ? Object.entries(parsed).map(([name, value]) => [name, [value].flat().join(' ')] as const)
      : text.split('\n').flatMap((line) => {
          const [, name, value] = /^\s*(?:-H\s+)?['"]?([\w-]+)['"]?\s*:\s*(.*?)\s*$/.exec(line) ?? [];
          return name === undefined ? [] : [[name, value!.replace(/^['"]|['"]?[\s,\\]*$/g, '')] as const];
        });
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function keyOf(secret: string): Uint8Array | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (encoded === undefined || encoded.replace(/=+$/, '').length % 4 === 1) return undefined;
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}

const sign = (key: Uint8Array, text: string) => hmac(sha256, key, encoder.encode(text));
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function duration(seconds: number): string {
  if (seconds < 7_200) return t('settings.webhooks.minutes', { count: Math.round(seconds / 60) });
  if (seconds < 172_800) return t('settings.webhooks.hours', { count: Math.round(seconds / 3_600) });
  return t('settings.webhooks.days', { count: Math.round(seconds / 86_400) });
}
