import { dnsResolver, type DnsServers } from '@tandem/platform';

const timeoutMs = 5_000;

/** What DNS has of type TXT under a name, each record in one piece; none where nothing is found, or nobody answers in five seconds. */
export async function findTextRecords(name: string, servers: DnsServers | undefined): Promise<string[]> {
  const resolver = dnsResolver(servers, { timeout: timeoutMs / 2, tries: 2 });
  const late = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const records = await resolver.resolveTxt(name);
    return records.map((pieces) => pieces.join('').trim());
  } catch {
    // Not found, refused, or late: for whoever waits for the record it is all the same.
    return [];
  } finally {
    clearTimeout(late);
  }
}
