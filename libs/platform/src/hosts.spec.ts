import { classifyHost, portalOrigin } from './hosts';

const config = {
  PUBLIC_URL: 'https://tandem.example',
  PORTAL_DOMAINS: ['desk.example', 'help.tandem.example'],
  SINGLE_ORGANIZATION: false,
};
const kindOf = (host: string) => classifyHost(host, config);

describe('host classification', () => {
  it.each(['tandem.example', 'TANDEM.example:8443', 'tandem.example.', '10.0.0.1', '192.168.1.5:80', '[::1]:3000'])(
    '%j is the product host',
    (host) => expect(kindOf(host)).toEqual({ kind: 'product', hasPortal: false }),
  );
  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80'])('%j is the product’s host on this machine', (host) =>
    expect(kindOf(host)).toEqual({ kind: 'product', hasPortal: true }),
  );

  it.each([
    ['northwind.tandem.example', 'northwind'],
    ['NorthWind.Tandem.Example:8443', 'northwind'],
    ['northwind.tandem.example.', 'northwind'],
    ['northwind.desk.example', 'northwind'],
    ['northwind.help.tandem.example', 'northwind'],
    ['northwind.localhost:3000', 'northwind'],
  ])('%j is the subdomain %j', (host, subdomain) => expect(kindOf(host)).toEqual({ kind: 'subdomain', subdomain }));

  it('does not read the first label of a third party’s host as a subdomain', () => {
    expect(kindOf('tickets.bigbank.example')).toEqual({ kind: 'custom', name: 'tickets.bigbank.example' });
    for (const host of ['northwind.tandem.example.evil.example', 'northwind.nottandem.example', 'northwind.localhost.evil.example'])
      expect(kindOf(host)).toEqual({ kind: 'custom', name: host });
  });
  it('treats a host of two labels as a possible custom domain', () =>
    expect(kindOf('customer.example:443')).toEqual({ kind: 'custom', name: 'customer.example' }));

  it.each(['desk.example', 'help.tandem.example'])('%j is a portal domain without a subdomain', (host) =>
    expect(kindOf(host)).toEqual({ kind: 'portal_domain' }),
  );

  it.each([
    '',
    '.',
    ':3000',
    'gateway',
    'a.b.tandem.example',
    'a.b.localhost',
    'a..b',
    '.a.b.c',
    '-a.b.c',
    'a_b.c.d',
    'a b.c.d',
    'a.b.c\u0000',
    'ä.b.c',
    'a.b.c/x',
    'a@b.c',
    `${'a'.repeat(64)}.b.c`,
    `${'a.'.repeat(130)}b`,
  ])('%j is invalid', (host) => expect(kindOf(host)).toEqual({ kind: 'invalid' }));

  it('has no subdomains below an IP address', () => {
    const byAddress = { PUBLIC_URL: 'http://10.0.0.1:3000', PORTAL_DOMAINS: [], SINGLE_ORGANIZATION: false };
    expect(classifyHost('10.0.0.1:3000', byAddress)).toEqual({ kind: 'product', hasPortal: false });
    expect(classifyHost('northwind.10.0.0.1', byAddress)).toEqual({ kind: 'custom', name: 'northwind.10.0.0.1' });
  });
});

describe('portal origin', () => {
  it.each([
    [{ subdomain: 'acme', custom_domain: 'help.acme.example' }, 'http://help.acme.example:3000'],
    [{ subdomain: 'acme', custom_domain: null }, 'http://acme.localhost:3000'],
    [{ subdomain: null }, 'http://localhost:3000'],
  ])('of %j is %s', (organization, origin) =>
    expect(portalOrigin({ PUBLIC_URL: 'http://localhost:3000', SINGLE_ORGANIZATION: false }, organization)).toBe(origin),
  );
});

describe('a single organization', () => {
  const single = { ...config, SINGLE_ORGANIZATION: true };

  it('has its portal on the host of PUBLIC_URL, but not on IP addresses', () => {
    expect(classifyHost('Tandem.example:443', single)).toEqual({ kind: 'product', hasPortal: true });
    expect(classifyHost('203.0.113.9', single)).toEqual({ kind: 'product', hasPortal: false });
    expect(portalOrigin(single, { subdomain: 'acme' })).toBe('https://tandem.example');
    expect(portalOrigin(single, { subdomain: 'acme', custom_domain: 'help.acme.example' })).toBe('https://help.acme.example');
  });
});
