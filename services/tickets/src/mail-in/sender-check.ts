import type { SenderChecks } from '@tandem/contracts';
import { dnsResolver, type DnsServers } from '@tandem/platform/dns';
import { authenticate } from 'mailauth';
import { checksOf, countSignatures, maxSignatures, notChecked } from './sender-checks';
import type { SmtpClient } from './spf-client';

/** Time limit for all DNS lookups of one email. After it, lookups fail and the checks use the answers received so far. */
export const maxLookupMs = 5_000;

export interface SenderCheckOptions {
  /** Without servers, senders are not checked. */
  servers: DnsServers | undefined;
  /** The name of the receiving server. */
  mta: string;
}

/**
 * Checks whether an email is authorized by the domain of its sender: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). `client` is
 * undefined for fetched emails and behind a relay, where SPF does not apply. Never throws: `failure` is the reason why nothing was checked.
 */
export async function checkSender(
  raw: Buffer,
  envelope_from: string,
  client: SmtpClient | undefined,
  { servers, mta }: SenderCheckOptions,
): Promise<{ checks: SenderChecks; failure?: string }> {
  if (servers === undefined || countSignatures(raw) > maxSignatures) return { checks: notChecked };
  const resolver = dnsResolver(servers, { timeout: 2_000, tries: 2 });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, maxLookupMs);
  try {
    const { spf, dkim, dmarc } = await authenticate(raw, {
      resolver: async (name, type) => {
        if (isLate) throw Object.assign(new Error('time limit of the sender check exceeded'), { code: 'ETIMEOUT' });
        return (await resolver.resolve(name, type)) as string[];
      },
      mta,
      ...(client ? { ip: client.address, helo: client.name, sender: envelope_from } : {}),
      disableArc: true,
      disableBimi: true,
      rejectRsaSha1: true,
    });
    const checks = checksOf({
      spf: client && spf ? spf.status.result : undefined,
      dkim: dkim.results.map(({ status }) => status.result),
      dmarc: dmarc ? dmarc.status.result : undefined,
      policy: dmarc ? dmarc.policy : undefined,
    });
    return { checks };
  } catch (error) {
    return { checks: notChecked, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(deadline);
  }
}
