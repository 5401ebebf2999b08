import { dmarcPolicy, isPublished } from '@tandem/notifications/src/sender/sender-record';
import { createPublicKey } from 'node:crypto';
import { failed, isThisMachine, ok, warning, type Finding } from './finding';
import { mailServersOf, textsOf } from './lookups';

/** No organization can have this subdomain, so the record is found only if there is one for all subdomains. */
const probe = 'tandem-doctor-probe';

/** The DNS records that receivers of our emails check, and the one by which replies arrive. */
export async function checkSenderRecords(): Promise<Finding[]> {
  const domain = (process.env.MAIL_DOMAIN || 'tandem.localhost').toLowerCase();
  if (isThisMachine(domain)) return [ok('MAIL_DOMAIN is of this machine: no records are checked.')];
  const found = (await Promise.all([checkSpf(domain), checkDmarc(domain), checkDkim(domain), checkMx(domain)])).flat();
  return found.length > 0 ? found : [ok(`The records of ${domain} for SPF, DKIM, DMARC and incoming email are in DNS.`)];
}

async function checkSpf(domain: string): Promise<Finding[]> {
  // Emails to customers are sent from addresses below an organization's subdomain, all others from MAIL_FROM.
  const from = (process.env.MAIL_FROM || 'support@tandem.localhost').split('@').at(-1)!.toLowerCase();
  const records = [[`${probe}.${domain}`, `*.${domain}`], ...(isThisMachine(from) ? [] : [[from, from]])] as [string, string][];
  const findings: Finding[] = [];
  for (const [name, record] of records) {
    const policies = (await textsOf(name)).filter((text) => /^v=spf1(\s|$)/i.test(text));
    if (policies.length === 1) continue;
    const message =
      policies.length === 0
        ? `DNS has no SPF record of ${record}.`
        : `DNS has ${policies.length} SPF records of ${record}: receivers ignore all of them.`;
    findings.push(warning(message, `Publish one TXT record of ${record} that names your mail server (v=spf1 … -all).`));
  }
  return findings;
}

async function checkDmarc(domain: string): Promise<Finding[]> {
  const record = (await textsOf(`_dmarc.${domain}`)).find((text) => /^v\s*=\s*DMARC1\b/i.test(text)) ?? null;
  if (dmarcPolicy(record) !== null) return [];
  const message = record === null ? `DNS has no DMARC record of ${domain}.` : `The DMARC record of ${domain} has no valid policy.`;
  return [warning(message, `Publish a TXT record of _dmarc.${domain}, for example v=DMARC1; p=quarantine.`)];
}

async function checkDkim(domain: string): Promise<Finding[]> {
  const [selector, key] = [process.env.DKIM_SELECTOR, process.env.DKIM_PRIVATE_KEY];
  // The mail server signs.
  if (!selector || !key) return [];
  const name = `${selector}._domainkey.${domain}`;
  const text = await textsOf(name);
  const publicKey = createPublicKey(key.replaceAll('\\n', '\n')).export({ type: 'spki', format: 'der' }).toString('base64');
  if (isPublished({ cname: [], text }, publicKey)) return [];
  const message = text.length === 0 ? `DNS has no DKIM key at ${name}.` : `The DKIM key at ${name} does not belong to DKIM_PRIVATE_KEY.`;
  return [
    failed(message, `Publish a TXT record of ${name}: v=DKIM1; k=rsa; p=${publicKey.slice(0, 20)}… (the public key of DKIM_PRIVATE_KEY).`),
  ];
}

async function checkMx(domain: string): Promise<Finding[]> {
  if (!process.env.MAIL_IN_PORT || (await mailServersOf(`${probe}.${domain}`)).length > 0) return [];
  return [
    warning(
      `DNS has no MX record of *.${domain}, so customers' replies do not arrive.`,
      `Publish an MX record of *.${domain} for the host whose port 25 leads to MAIL_IN_PORT.`,
    ),
  ];
}
