import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Connection, KeptConnections } from './kept-connections';
import { withClientSpan } from './telemetry';

/** The address must not be called for a customer: it is private, special, or disguised as another one. */
export class UnsafeAddress extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnsafeAddress';
  }
}

// Private and special ranges (IANA registries; the same list as Svix). BlockList checks IPv4 mapped into IPv6 as IPv4.
const blocked4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
const blocked6 =
  '::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8';

const blocked = new BlockList();
for (const [family, ranges] of [
  ['ipv4', blocked4],
  ['ipv6', blocked6],
] as const) {
  for (const range of ranges.split(' ')) {
    const [net = '', bits] = range.split('/');
    blocked.addSubnet(net, Number(bits), family);
  }
}

/** Whether an IP address belongs to the public internet; false for anything that is not an IP address. */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  return family !== 0 && !blocked.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

export interface AddressRules {
  /** Also allow `http:` and its port 80. For tests and development, from the configuration only. */
  allowHttp?: boolean;
  /** Allow any address, name and port. For tests and development, from the configuration only. */
  allowPrivate?: boolean;
  /** Allowed ports; default 443 and 8443. */
  ports?: readonly number[];
}

const privateNames = /\.(internal|local|localhost|svc|home\.arpa)$/; // `.cluster.local` ends in `.local`

/**
 * Parses an address that a customer entered; throws `UnsafeAddress` if it must not be called. Check it when it is saved; `safeFetch` checks
 * it again at each call, together with the IP addresses that its name resolves to.
 */
export function safeAddress(address: string, rules: AddressRules = {}): URL {
  const url = URL.parse(address);
  if (!url) throw new UnsafeAddress('This is not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp))
    throw new UnsafeAddress('Only https addresses are allowed');
  if (url.username || url.password) throw new UnsafeAddress('An address must not contain a user name or password');
  if (rules.allowPrivate) return url;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const ports = rules.ports ?? (rules.allowHttp ? [443, 8443, 80] : [443, 8443]);
  if (!ports.includes(port)) throw new UnsafeAddress(`Port ${port} is not allowed`);
  assertPublicHost(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  return url;
}

function assertPublicHost(host: string): void {
  // A connection to a literal IP address does no lookup, so `publicLookup` would not check it.
  if (isIP(host)) {
    if (!isPublicAddress(host)) throw new UnsafeAddress('This address is not on the public internet');
    return;
  }
  const name = host.toLowerCase().replace(/\.$/, '');
  if (!name.includes('.') || privateNames.test(name)) throw new UnsafeAddress('This name is not on the public internet');
}

type Resolve = (hostname: string, options: { all: true }, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** A DNS lookup that returns public addresses only. The checked address is the one that is dialed, so DNS rebinding has no effect. */
export function publicLookup(resolve: Resolve = systemLookup): LookupFunction {
  return (hostname: string, options: LookupOptions, done: (...result: never[]) => void) => {
    const answer = done as unknown as (error: Error | null, address?: string | LookupAddress[], family?: number) => void;
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return answer(error);
      const open = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = open;
      if (!first) return answer(new UnsafeAddress('This name resolves to an address that is not on the public internet'));
      return options.all ? answer(null, open) : answer(null, first.address, first.family);
    });
  };
}

export interface SafeFetchInit extends AddressRules {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For the whole call, including connecting and reading; default 10 s. */
  timeoutMs?: number;
  /** Ends the call early, with the reason of the signal. */
  signal?: AbortSignal;
  /** The response body is cut at this size; default 64 KiB. */
  maxBytes?: number;
  /** How long connecting may take, including TLS; default 3 s. */
  connectTimeoutMs?: number;
  /** Return the beginning of the body, as for a long one, if reading the rest fails or takes too long: the status is what matters. */
  partialBody?: boolean;
  /** Called with the IP address of the server once it is connected. */
  onConnect?: (address: string) => void;
  /** Uses a connection of this owner that is still open, and leaves it open for a second. Without it every call opens a new one. */
  keep?: { connections: KeptConnections; owner: string };
  /** Replaces the resolver in tests. */
  resolve?: Resolve;
}

export interface SafeFetchAnswer {
  status: number;
  /** Header names in lower case; a repeated header is joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** The response was longer than `maxBytes`, and `body` is its beginning. */
  truncated: boolean;
}

const defaultConnectTimeoutMs = 3000;
/** Shorter than servers wait, so that none closes a connection while a request is in transit. */
const keepMs = 1_000;
/** Larger response headers fail the call. */
export const maxResponseHeaderBytes = 16_384;

async function readBounded(
  body: AsyncIterable<Buffer>,
  { maxBytes = 65_536, partialBody = false }: Pick<SafeFetchInit, 'maxBytes' | 'partialBody'>,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
    }
  } catch (error) {
    if (!partialBody) throw error;
    return { body: Buffer.concat(chunks), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

/** The public addresses of a name. */
function resolvePublic(hostname: string, resolve: Resolve | undefined, signal: AbortSignal): Promise<LookupAddress[]> {
  const answer = new Promise<LookupAddress[]>((done, fail) =>
    publicLookup(resolve)(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses as LookupAddress[]))),
  );
  const late = new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true }));
  return Promise.race([answer, late]);
}

/**
 * The address to connect to for a host that a customer entered, for protocols other than HTTP. The caller connects to this address, so that
 * DNS rebinding has no effect, and checks the certificate against the name. Throws `UnsafeAddress`, or the resolver's error.
 */
export async function safeHostAddress(
  host: string,
  { allowPrivate = false, ports, port }: Pick<AddressRules, 'allowPrivate'> & { ports: readonly number[]; port: number },
  signal: AbortSignal,
  resolve?: Resolve,
): Promise<string> {
  if (allowPrivate) return host;
  if (!ports.includes(port)) throw new UnsafeAddress(`Port ${port} is not allowed`);
  assertPublicHost(host);
  if (isIP(host)) return host;
  const addresses = await resolvePublic(host, resolve, signal);
  // Not every host has a route for IPv6.
  return (addresses.find(({ family }) => family === 4) ?? addresses[0]!).address;
}

/** A connection for one call at a time. It is opened by its first request, to one of the checked addresses. */
async function newConnection(url: URL, checked: LookupAddress[] | undefined, init: SafeFetchInit, timeoutMs: number): Promise<Connection> {
  const lookup: LookupFunction | undefined =
    checked && ((_, options, done) => (options.all ? done(null, checked) : done(null, checked[0]!.address, checked[0]!.family)));
  const timeout = Math.min(init.connectTimeoutMs ?? defaultConnectTimeoutMs, timeoutMs);
  // Loaded with the first call, because few processes call such addresses.
  const { buildConnector, Client } = await import('./undici');
  const connect = buildConnector({ timeout, ...(lookup ? { lookup } : {}) });
  const connection: Connection = {
    address: undefined,
    onClose: () => undefined,
    client: new Client(url.origin, {
      pipelining: init.keep ? 1 : 0,
      keepAliveTimeout: keepMs,
      keepAliveMaxTimeout: keepMs,
      maxHeaderSize: maxResponseHeaderBytes,
      connect: (target, done) =>
        connect(target, (...result) => {
          connection.address = result[1]?.remoteAddress;
          if (connection.address !== undefined) init.onConnect?.(connection.address);
          done(...result);
        }),
    }),
  };
  // A closed connection is not opened again: its addresses were checked for an earlier call.
  connection.client.on('disconnect', () => {
    connection.address = undefined;
    connection.onClose();
    void connection.client.destroy();
  });
  return connection;
}

/**
 * Calls an address that a customer entered (webhooks, logos, providers' base URLs). Guarantees: https only, the usual ports,
 * no connection to a private or special range, no redirect followed (a 3xx is returned), limited time and size.
 * Throws `UnsafeAddress` if the address is not allowed, and undici's or the system's error if the call fails.
 */
export async function safeFetch(address: string, init: SafeFetchInit = {}): Promise<SafeFetchAnswer> {
  const url = safeAddress(address, init);
  const method = init.method ?? 'GET';
  return withClientSpan(method, { 'http.request.method': method, 'server.address': url.hostname }, async (span) => {
    const answer = await fetchChecked(url, init);
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

async function fetchChecked(url: URL, init: SafeFetchInit): Promise<SafeFetchAnswer> {
  const timeoutMs = init.timeoutMs ?? 10_000;
  // Not AbortSignal.timeout(): its timer cannot be stopped, so each call would end with an abort and an exception that nothing needs.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), timeoutMs);
  try {
    return await fetchWithin(url, init, timeoutMs, init.signal ? AbortSignal.any([limit.signal, init.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function fetchWithin(url: URL, init: SafeFetchInit, timeoutMs: number, signal: AbortSignal): Promise<SafeFetchAnswer> {
  // A literal IP address was checked with the URL.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const checked = init.allowPrivate || isIP(host) ? undefined : await resolvePublic(host, init.resolve, signal);
  const open = () => newConnection(url, checked, init, timeoutMs);
  if (!init.keep) return send(await open(), url, init, signal);
  const { connections, owner } = init.keep;
  const key = `${owner} ${url.origin}`;
  const release = (connection: Connection) => connections.put(key, connection);
  const addresses = checked?.map((each) => each.address);
  const kept = connections.take(key, addresses);
  if (kept) {
    init.onConnect?.(kept.address!);
    try {
      return await send(kept, url, init, signal, release);
    } catch (error) {
      // The server closed it at this moment, which says nothing about the server.
      if (!closedCodes.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
  return send(await open(), url, init, signal, release);
}

const closedCodes = new Set(['UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'ECONNRESET', 'EPIPE']);

/** Sends the request and reads the response. Closes the connection, unless the response was read to its end and there is a `release`. */
async function send(
  connection: Connection,
  url: URL,
  init: SafeFetchInit,
  signal: AbortSignal,
  release?: (connection: Connection) => void,
): Promise<SafeFetchAnswer> {
  let isReusable = false;
  try {
    const answer = await connection.client.request({
      path: `${url.pathname}${url.search}`,
      method: init.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Tandem', ...init.headers },
      body: init.body ?? null,
      signal,
    });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')] as const);
    const { body, truncated } = await readBounded(answer.body, init);
    isReusable = release !== undefined && !truncated;
    return { status: answer.statusCode, headers: Object.fromEntries(headers), body, truncated };
  } finally {
    if (isReusable) release!(connection);
    else await connection.client.destroy();
  }
}
