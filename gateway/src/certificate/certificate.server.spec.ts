import { clientsOf } from './certificate.server';

it('answers this machine and the trusted proxies only', () => {
  const clients = clientsOf('192.0.2.7, 198.51.100.0/24,2001:db8::/32, not-an-address');
  const isClient = (address: string) => clients.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  for (const address of ['127.0.0.1', '::1', '192.0.2.7', '::ffff:192.0.2.7', '198.51.100.9', '2001:db8::1'])
    expect([address, isClient(address)]).toEqual([address, true]);
  for (const address of ['192.0.2.8', '10.0.0.1', '::ffff:10.0.0.1', '2001:db9::1', 'fe80::1'])
    expect([address, isClient(address)]).toEqual([address, false]);
});
