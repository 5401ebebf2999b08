import { clientKey } from './client-address';

describe('the key of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('for %s is %s', (address, client) => expect(clientKey(address)).toBe(client));
  it('differs for another /64', () => expect(clientKey('2001:db8:1:2::1')).not.toBe(clientKey('2001:db8:1:3::1')));
  it('is the text itself if it is not an address', () => expect(['', 'unknown'].map(clientKey)).toEqual(['', 'unknown']));
});
