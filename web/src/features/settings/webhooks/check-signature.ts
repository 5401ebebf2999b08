import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

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
  if (key === undefined)
    return invalid('This is not a signing secret.', 'Paste it as it was shown: whsec_ and base64, without quotes or line breaks.');
  const received = parseHeaders(headers);
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !received.get(name));
  if (missing.length > 0)
    return invalid(`Missing: ${missing.join(', ')}.`, 'Paste all headers. A proxy in front of the receiver may have removed some.');
  const request = { id: received.get('webhook-id')!, timestamp: received.get('webhook-timestamp')!, body };
  if (!/^\d{1,12}$/.test(request.timestamp)) return invalid('webhook-timestamp is not a number of seconds.');
  const signatures = received.get('webhook-signature')!.split(/\s+/);
  const matches = (text: string) => signatures.includes(`v1,${base64(sign(key, `${request.id}.${request.timestamp}.${text}`))}`);
  if (matches(body)) return timeCheck(Number(request.timestamp), now);
  const change = changesOf(body).find(({ original }) => matches(original));
  if (change)
    return invalid(
      `The secret is right, but the body was changed on the way: ${change.what}.`,
      'Verify the bytes as they arrived, before a JSON parser, a framework or a proxy rewrites them.',
    );
  return mismatch({ ...request, secret: secret.trim(), lastFour, plain: received.get('x-tandem-signature') });
}

function timeCheck(timestamp: number, now: number): SignatureCheck {
  const age = Math.floor(now / 1_000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return { result: 'valid', finding: 'The signature is right, and recent enough.' };
  const [amount, when] = [duration(Math.abs(age)), age > 0 ? 'ago' : 'in the future'];
  return {
    result: 'late',
    finding: `The signature is right, but it was made ${amount} ${when}; receivers allow 5 minutes.`,
    advice:
      age > 0
        ? 'Normal for a request that you saved earlier. If your receiver refuses new requests, its clock is fast.'
        : 'Your receiver’s clock, or this computer’s, is slow.',
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
    return invalid(
      'Secret and body are right, but webhook-id, webhook-timestamp or webhook-signature was changed.',
      'Paste the three headers of one request: each attempt has its own timestamp and signature.',
    );
  if (!secret.endsWith(lastFour))
    return invalid(
      `Another secret: this endpoint’s ends in ${lastFour}.`,
      'Use the secret of this endpoint. After a rotation the old one signs for 24 hours.',
    );
  const bodyId = idOf(body);
  if (bodyId === undefined)
    return invalid('The body is not the JSON that was sent.', 'Paste the whole raw body, not a part or a printed object.');
  if (bodyId !== id) return invalid(`Body and headers are of different requests: the body is ${bodyId}, webhook-id is ${id}.`);
  return invalid(
    'No signature matches. The secret ends like this endpoint’s, so the body was probably changed on the way.',
    'Compare it with the request in the delivery: members in another order, numbers in another form, or an edited value change the signature.',
  );
}

interface Change {
  what: string;
  original: string;
}

/** Possible originals of a body that a program has changed in a common way. We send JSON without spaces, in one line. */
function changesOf(body: string): Change[] {
  const trimmed = body.replace(/^\uFEFF/, '').trim();
  const changes = [{ what: 'spaces or line breaks were added before or after it', original: trimmed }];
  const parsed = parse(trimmed);
  if (parsed !== undefined) changes.push({ what: 'the JSON was parsed and serialized again', original: JSON.stringify(parsed) });
  if (typeof parsed === 'string') changes.push({ what: 'the JSON was serialized twice', original: parsed });
  changes.push({ what: 'characters outside ASCII were decoded as Latin-1', original: fromLatin1(trimmed) });
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
  const [amount, unit] =
    seconds < 7_200
      ? [Math.round(seconds / 60), 'minute']
      : seconds < 172_800
        ? [Math.round(seconds / 3_600), 'hour']
        : [Math.round(seconds / 86_400), 'day'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
