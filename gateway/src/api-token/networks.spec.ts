import type { KnownApiToken } from '@tandem/contracts';
import { allowsAddress } from './networks';

const token = (...networks: string[]) => ({ networks }) as KnownApiToken;

it.each([
  ['203.0.113.9', ['203.0.113.0/24'], true],
  ['203.0.114.9', ['203.0.113.0/24'], false],
  ['203.0.113.9', ['198.51.100.0/24', '203.0.113.9'], true],
  ['203.0.113.10', ['203.0.113.9'], false],
  ['203.0.113.77', ['203.0.113.9/24'], true],
  ['::ffff:203.0.113.9', ['203.0.113.0/24'], true],
  ['::ffff:cb00:7109', ['203.0.113.0/24'], true],
  ['::ffff:203.0.114.9', ['203.0.113.0/24'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:DB8:0:0:0:0:0:1', ['2001:db8::1'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['fe80::1%eth0', ['fe80::/10'], true],
  ['203.0.113.9', ['::/0'], true],
  ['192.0.2.1', ['0.0.0.0/0'], true],
  ['unknown', ['0.0.0.0/0', '::/0'], false],
  ['', ['0.0.0.0/0'], false],
  ['anything', [], true],
])('%s in %j: %s', (address, networks, allowed) => {
  const one = token(...networks);
  expect([allowsAddress(one, address), allowsAddress(one, address)]).toEqual([allowed, allowed]);
});
