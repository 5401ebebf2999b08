import { isIP } from 'node:net';

/**
 * The client that a connection counts for: its IPv4 address, or its IPv6 /64, usually one household or server. The same rule as the limits
 * of the gateway (`normalizeIp` of @nestjs/throttler): an IPv4-mapped address is the IPv4 address, and the zone is ignored.
 */
export function clientKey(address: string): string {
  const bare = address.replace(/%.*$/s, '');
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return '::1';
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address. Parsing it as a URL host normalizes all notations. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [string[], string[]];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
}

const ipv4Of = (groups: string[]): string =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]).join('.');
