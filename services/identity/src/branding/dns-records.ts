import { dnsResolver, type DnsServers } from '@tandem/platform';

const timeoutMs = 5_000;

/** The TXT records of a name, each joined into one string; empty if there are none or the lookup takes more than five seconds. */
export async function findTextRecords(name: string, servers: DnsServers | undefined): Promise<string[]> {
  const resolver = dnsResolver(servers, { timeout: timeoutMs / 2, tries: 2 });
  const late = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const records = await resolver.resolveTxt(name);
    return records.map((pieces) => pieces.join('').trim());
  } catch {
    // Not found, refused or timed out: equally unverified for the caller.
    return [];
  } finally {
    clearTimeout(late);
  }
}
