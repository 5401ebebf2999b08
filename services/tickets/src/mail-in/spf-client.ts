import { BlockList, isIPv4 } from 'node:net';
import { isPublicAddress } from '@tandem/platform';

/** The SMTP client that delivered an email. */
export interface SmtpClient {
  address: string;
  /** The name that it announced (EHLO). */
  name: string;
}

/**
 * The client whose address SPF applies to. Undefined behind a relay, whose address is not the sender's, and for non-public addresses, which
 * belong to a relay, a proxy or a container network.
 */
export function spfClientOf(client: SmtpClient, relays: readonly string[] = []): SmtpClient | undefined {
  const address = client.address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/s, '');
  return isPublicAddress(address) && !isListed(address, relays) ? { ...client, address } : undefined;
}

function isListed(address: string, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [ip = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(ip, familyOf(ip));
    else list.addSubnet(ip, Number(bits), familyOf(ip));
  }
  return list.check(address, familyOf(address));
}
const familyOf = (ip: string) => (isIPv4(ip) ? ('ipv4' as const) : ('ipv6' as const));
