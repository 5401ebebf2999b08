import { dnsResolver, dnsVariables } from '@tandem/platform';
import { lookup } from 'node:dns/promises';
import * as z from 'zod';

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA']);
const settings = { timeout: 2_500, tries: 2 };

function resolver() {
  const { DNS_SERVERS } = z.object(dnsVariables).parse({ DNS_SERVERS: process.env.DNS_SERVERS || undefined });
  return { servers: DNS_SERVERS, dns: dnsResolver(DNS_SERVERS, settings) };
}

/** The addresses of a host; empty if it does not exist. With the machine's DNS servers, its hosts file is used as well. */
export async function addressesOf(host: string): Promise<string[]> {
  const { servers, dns } = resolver();
  if (servers === undefined || servers === 'system')
    return orEmpty(lookup(host, { all: true }).then((found) => found.map(({ address }) => address)));
  const found = await Promise.allSettled([orEmpty(dns.resolve4(host)), orEmpty(dns.resolve6(host))]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const failure = found.find((each) => each.status === 'rejected');
  // Some servers answer for one kind of address only.
  if (addresses.length === 0 && failure) throw failure.reason;
  return addresses;
}

/** The TXT records of a name, each as one string. */
export const textsOf = async (name: string): Promise<string[]> =>
  (await orEmpty(resolver().dns.resolveTxt(name))).map((pieces) => pieces.join(''));

/** The hosts that receive email for a domain. An empty one declares that the domain receives none (RFC 7505). */
export const mailServersOf = async (domain: string): Promise<string[]> =>
  (await orEmpty(resolver().dns.resolveMx(domain)))
    .map(({ exchange }) => exchange)
    .filter((exchange) => exchange !== '' && exchange !== '.');

async function orEmpty<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return await query;
  } catch (error) {
    if (absent.has((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
