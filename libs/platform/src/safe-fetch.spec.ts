import type { LookupAddress } from 'node:dns';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPublicAddress, publicLookup, safeAddress, UnsafeAddress } from './safe-fetch';

// Svix's vectors (MIT) and some of our own. An additional file of vectors next to the repository is used if it exists.
const refused = `10.254.0.0 192.168.10.65 172.16.10.65 172.31.255.255 0.1.2.3 0.0.0.0 127.0.0.1 127.0.0.254 127.254.254.254 169.254.45.1
169.254.169.254 255.255.255.255 224.1.2.3 233.252.0.16 192.0.0.0 192.0.0.255 192.0.2.255 198.51.100.65 203.0.113.6 100.64.0.1 100.100.0.0
192.88.99.3 198.18.0.0 198.19.255.255 240.240.240.240 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 2001:db8::1
3fff::dead:beef fe80::dead:beef febf:ffff::dead:beef fdee:3A45:9057::1 fd7a:115c:a1e0::1 fc00::1 ff02::1 2002:c000:0204::dead:beef
2002:c0a8:0001::dead:beef 64:ff9b::c0a8:0 64:ff9b::808:808 64:ff9b:1::1 5f00::dead:beef 100::1 2001::1`.split(/\s+/);
const allowed = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
];

const facts = join(__dirname, '../../../../shared/facts/clickup/ssrf-ip-vectors.json');
const hasFacts = existsSync(facts);
const documented = hasFacts ? (JSON.parse(readFileSync(facts, 'utf8')) as { block: string[]; allow: string[] }) : { block: [], allow: [] };
refused.push(...documented.block);
allowed.push(...documented.allow);
(hasFacts ? it : it.skip)('the addresses in ClickUp’s documents are among the tested ones', () =>
  expect(documented.block.length).toBeGreaterThan(0),
);

const inUrl = (ip: string) => `https://${ip.includes(':') ? `[${ip}]` : ip}/hook`;

describe('private addresses', () => {
  it.each([...new Set(refused)])('%s is not public, bare and in an address', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
    expect(() => safeAddress(inUrl(ip))).toThrow(UnsafeAddress);
  });

  it.each([...new Set(allowed)])('%s is public', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
    expect(safeAddress(inUrl(ip)).protocol).toBe('https:');
  });

  it('parses no invalid IP address', () => {
    for (const text of ['', 'example.org', '1.2.3', '1.2.3.4.5', '1.2.3.4 ']) expect(isPublicAddress(text)).toBe(false);
  });
});

describe('safeAddress', () => {
  it.each([
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127.0.0.1./',
    'https://[::ffff:7f00:1]/',
    'https://[::]/',
    'https://169.254.169.254/latest/meta-data',
  ])('detects %s', (address) => {
    expect(() => safeAddress(address)).toThrow(UnsafeAddress);
  });

  it.each([
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://intranet/',
    'https://tickets/',
    'https://vault.internal/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://tickets.tandem.svc/',
    'https://tickets.tandem.svc.cluster.local/',
    'https://a.localhost/',
    'https://nas.home.arpa/',
  ])('refuses the name in %s', (address) => {
    expect(() => safeAddress(address)).toThrow(UnsafeAddress);
  });

  it.each([
    'http://hooks.example.org/',
    'ftp://hooks.example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@hooks.example.org/',
    'https://:pass@hooks.example.org/',
    'https://hooks.example.org:22/',
    'https://hooks.example.org:80/',
    'https://hooks.example.org:6379/',
    'hooks.example.org',
    '//hooks.example.org',
    '',
    'https://',
  ])('refuses %p', (address) => {
    expect(() => safeAddress(address)).toThrow(UnsafeAddress);
  });

  it.each([
    'https://hooks.example.org/a?b=c',
    'https://hooks.example.org:8443/',
    'https://hooks.example.org./',
    'https://bücher.example.org/',
  ])('accepts %s', (address) => {
    expect(safeAddress(address).hostname).toContain('example.org');
  });

  it('allows only what its rules allow', () => {
    expect(() => safeAddress('http://hooks.example.org/', { allowHttp: true })).not.toThrow();
    expect(() => safeAddress('http://127.0.0.1/', { allowHttp: true })).toThrow(UnsafeAddress);
    expect(() => safeAddress('https://hooks.example.org:9000/', { ports: [9000] })).not.toThrow();
    expect(() => safeAddress('http://127.0.0.1:1234/', { allowHttp: true, allowPrivate: true })).not.toThrow();
    expect(() => safeAddress('http://127.0.0.1:1234/', { allowPrivate: true })).toThrow(UnsafeAddress);
    expect(() => safeAddress('https://user:pass@127.0.0.1/', { allowPrivate: true })).toThrow(UnsafeAddress);
  });
});

describe('publicLookup', () => {
  const leadingTo = (...addresses: string[]) =>
    publicLookup((_name, _options, done) =>
      done(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  const look = (lookup: ReturnType<typeof publicLookup>, all: boolean) =>
    new Promise((resolve, reject) => lookup('hooks.example.org', { all }, (error, address) => (error ? reject(error) : resolve(address))));

  it('returns only the public addresses of a name that also has private ones', async () => {
    expect(await look(leadingTo('10.0.0.1', '1.1.1.1', '::1'), true)).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await look(leadingTo('10.0.0.1', '1.1.1.1'), false)).toBe('1.1.1.1');
  });

  it('refuses a name without a public address', async () => {
    await expect(look(leadingTo('127.0.0.1', '::1'), true)).rejects.toThrow(UnsafeAddress);
    await expect(look(leadingTo(), false)).rejects.toThrow(UnsafeAddress);
  });
});
