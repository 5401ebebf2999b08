import { BlockList, isIP } from 'node:net';
import type { KnownApiToken } from '@tandem/contracts';

const lists = new WeakMap<KnownApiToken, BlockList>();

function listOf(token: KnownApiToken): BlockList {
  let list = lists.get(token);
  if (list === undefined) {
    list = new BlockList();
    for (const network of token.networks) add(list, network);
    lists.set(token, list);
  }
  return list;
}

function add(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}

/** Whether a client with this address may use the token. An IPv4 address in IPv6 notation (`::ffff:192.0.2.1`) is in the IPv4 network. */
export function allowsAddress(token: KnownApiToken, address: string): boolean {
  if (token.networks.length === 0) return true;
  const plain = address.replace(/%.*$/, '');
  const version = isIP(plain);
  return version !== 0 && listOf(token).check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
