import { Resolver } from 'node:dns/promises';

const timeoutMs = 5_000;

/** What DNS has of type TXT under a name, each record in one piece; none where nothing is found, or nobody answers in five seconds. */
export async function findTextRecords(name: string, servers: readonly string[] | undefined): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 });
  if (servers) resolver.setServers(servers);
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
