import { Inject, Injectable } from '@nestjs/common';
import type { SenderChecks } from '@tandem/contracts';
import { dnsResolver, type Logger, type ServiceConfig } from '@tandem/platform';
import { authenticate } from 'mailauth';
import { checksOf, countSignatures, maxSignatures, notChecked, type SmtpClient } from './sender-checks';
import type { MailInConfig } from './variables';

/** Time limit for all DNS lookups of one e-mail. After it, lookups fail and the checks use the answers received so far. */
export const maxLookupMs = 5_000;

/** Checks whether an e-mail is authorized by the domain of its sender: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). */
@Injectable()
export class SenderCheck {
  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** `client` is undefined for fetched e-mails and behind a relay, where SPF does not apply. Never throws. */
  async check(raw: Buffer, envelope_from: string, client: SmtpClient | undefined): Promise<SenderChecks> {
    const { DNS_SERVERS: servers, MAIL_DOMAIN: mta } = this.config;
    if (servers === undefined || countSignatures(raw) > maxSignatures) return notChecked;
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
      return checksOf({
        spf: client && spf ? spf.status.result : undefined,
        dkim: dkim.results.map(({ status }) => status.result),
        dmarc: dmarc ? dmarc.status.result : undefined,
        policy: dmarc ? dmarc.policy : undefined,
      });
    } catch (error) {
      this.log.warn({ err: error }, 'could not check the sender of an email');
      return notChecked;
    } finally {
      clearTimeout(deadline);
    }
  }
}
