import { bounceHostOf } from '@tandem/contracts/values';
import { dnsResolver, type DnsServers } from '@tandem/platform';
import { isSpf, recordName, type FoundBounceHost, type FoundRecord, type Selector, type SenderLookup } from './sender-record';

const timeoutMs = 5_000;
/** Longer texts at a customer's name are cut: they are shown and stored. */
const maxText = 1_000;
const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** DNS did not answer, which is different from a missing record. */
export class LookupFailed extends Error {}

/** Throws `LookupFailed` if any of the queries fails or they take more than five seconds together. */
export async function lookUpSender(domain: string, servers: DnsServers | undefined): Promise<SenderLookup> {
  const resolver = dnsResolver(servers, { timeout: timeoutMs / 2, tries: 2 });
  const late = setTimeout(() => resolver.cancel(), timeoutMs);
  const textAt = async (name: string): Promise<string[]> =>
    (await valuesOf(resolver.resolveTxt(name))).map((pieces) => pieces.join('').slice(0, maxText));
  const recordAt = async (selector: Selector): Promise<FoundRecord> => {
    const name = recordName(domain, selector);
    const [cname, text] = await Promise.all([valuesOf(resolver.resolveCname(name)), textAt(name)]);
    return { cname: cname.slice(0, 5), text: text.slice(0, 5) };
  };
  const bounceHost = async (): Promise<FoundBounceHost> => {
    const name = bounceHostOf(domain);
    const [cname, servers, text] = await Promise.all([
      valuesOf(resolver.resolveCname(name)),
      valuesOf(resolver.resolveMx(name)),
      textAt(name),
    ]);
    return {
      cname: cname.slice(0, 5),
      mail_servers: servers.map(({ exchange }) => exchange).slice(0, 5),
      spf: text.filter(isSpf).slice(0, 5),
    };
  };
  try {
    const [first, second, bounces, dmarc] = await Promise.all([recordAt(1), recordAt(2), bounceHost(), textAt(`_dmarc.${domain}`)]);
    return { records: { 1: first, 2: second }, bounces, dmarc: dmarc.find((record) => /^v\s*=\s*DMARC1\b/i.test(record)) ?? null };
  } finally {
    clearTimeout(late);
  }
}

/** Empty if the name or the type does not exist. */
async function valuesOf<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return await query;
  } catch (error) {
    if (absent.has((error as { code?: string }).code ?? '')) return [];
    throw new LookupFailed('DNS did not answer', { cause: error });
  }
}
