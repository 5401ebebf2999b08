import { dmarcPolicy, isPublished } from '@tandem/notifications/src/sender/sender-record';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { isSingleOrganization } from '../installation';
import { failed, isThisMachine, ok, warning, type Finding } from './finding';
import { addressesOf, mailServersOf, textsOf } from './lookups';
import { mailLabels } from './organizations';

/** No organization can have this subdomain, so the record is found only if there is one for all subdomains. */
const probe = 'tandem-doctor-probe';

/** The DNS records that receivers of our emails check, and the one by which replies arrive. */
export async function checkSenderRecords(): Promise<Finding[]> {
  const domain = (process.env.MAIL_DOMAIN || 'tandem.localhost').toLowerCase();
  if (isThisMachine(domain)) return [ok('MAIL_DOMAIN is a name of this machine, so no records are checked.')];
  const hosts = await organizationHosts(domain);
  const found = (await Promise.all([checkSpf(hosts), checkDmarc(domain), checkDkim(domain), checkMx(hosts)])).flat();
  if (found.length > 0) return found;
  const hasMx = process.env.MAIL_IN_PORT && hosts.length > 0;
  const checked = ['SPF', 'DMARC', ...(process.env.DKIM_SELECTOR ? ['DKIM'] : []), ...(hasMx ? ['incoming email'] : [])];
  return [ok(`DNS has the records of ${domain} for ${checked.join(', ')}.`)];
}

/** A host in the addresses of organizations, and the name of the record that it needs. */
interface MailHost {
  name: string;
  record: string;
}

/** A single organization needs records of its own hosts only, which may also be those of `*.`. */
async function organizationHosts(domain: string): Promise<MailHost[]> {
  if (!isSingleOrganization()) return [{ name: `${probe}.${domain}`, record: `*.${domain}` }];
  return (await mailLabels()).map((label) => ({ name: `${label}.${domain}`, record: `${label}.${domain}` }));
}

async function checkSpf(hosts: readonly MailHost[]): Promise<Finding[]> {
  // Emails to customers are sent from addresses below an organization's subdomain, all others from MAIL_FROM.
  const from = (process.env.MAIL_FROM || 'support@tandem.localhost').split('@').at(-1)!.toLowerCase();
  const records = [...hosts, ...(isThisMachine(from) ? [] : [{ name: from, record: from }])];
  const findings: Finding[] = [];
  for (const { name, record } of records) {
    const policies = (await textsOf(name)).filter((text) => /^v=spf1(\s|$)/i.test(text));
    if (policies.length === 1) continue;
    const message =
      policies.length === 0
        ? `DNS has no SPF record for ${record}.`
        : `DNS has ${policies.length} SPF records for ${record}: receivers ignore all of them.`;
    findings.push(warning(message, `Publish one TXT record for ${record} that names your mail server (v=spf1 … -all).`));
  }
  return findings;
}

async function checkDmarc(domain: string): Promise<Finding[]> {
  const record = await findDmarcRecord(domain);
  if (dmarcPolicy(record) !== null) return [];
  const message = record === null ? `DNS has no DMARC record for ${domain}.` : `The DMARC record of ${domain} has no valid policy.`;
  return [warning(message, `Publish a TXT record for _dmarc.${domain}, for example v=DMARC1; p=quarantine.`)];
}

/** Without a record of its own, a domain has the policy of a domain above it (RFC 9989, 4.10). */
async function findDmarcRecord(domain: string): Promise<string | null> {
  const labels = domain.split('.');
  for (let first = 0; first === 0 || first < labels.length - 1; first++) {
    const texts = await textsOf(`_dmarc.${labels.slice(first).join('.')}`);
    const record = texts.find((text) => /^v\s*=\s*DMARC1\b/i.test(text));
    if (record !== undefined) return record;
  }
  return null;
}

async function checkDkim(domain: string): Promise<Finding[]> {
  const [selector, key] = [process.env.DKIM_SELECTOR, process.env.DKIM_PRIVATE_KEY];
  // The mail server signs.
  if (!selector && !key) return [];
  if (!selector || !key)
    return [failed('Only one of DKIM_SELECTOR and DKIM_PRIVATE_KEY is set, so notifications cannot start.', 'Set both or none.')];
  const publicKey = readPublicKey(key);
  if (publicKey === undefined)
    return [failed('DKIM_PRIVATE_KEY is not a private key in PEM.', 'Correct it; its line breaks may be written as \\n.')];
  const name = `${selector}._domainkey.${domain}`;
  const text = await textsOf(name);
  const [spki, pkcs1] = (['spki', 'pkcs1'] as const).map((type) => publicKey.export({ type, format: 'der' }).toString('base64'));
  // Both forms are in use (RFC 6376, 3.6.1).
  if (isPublished({ cname: [], text }, spki!) || isPublished({ cname: [], text }, pkcs1!)) return [];
  const message =
    text.length === 0
      ? `DNS has no DKIM key at ${name}, so receivers do not trust emails.`
      : `The DKIM key at ${name} does not belong to DKIM_PRIVATE_KEY.`;
  return [
    failed(message, `Publish a TXT record for ${name}: v=DKIM1; k=rsa; p=${spki!.slice(0, 20)}… (the public key of DKIM_PRIVATE_KEY).`),
  ];
}

function readPublicKey(key: string): KeyObject | undefined {
  try {
    return createPublicKey(key.replaceAll('\\n', '\n'));
  } catch {
    return undefined;
  }
}

async function checkMx(hosts: readonly MailHost[]): Promise<Finding[]> {
  if (!process.env.MAIL_IN_PORT) return [];
  const findings: Finding[] = [];
  for (const { name, record } of hosts) {
    if ((await mailServersOf(name)).length > 0) continue;
    const fix = `Publish an MX record for ${record} that names the host whose port 25 is forwarded to MAIL_IN_PORT.`;
    const [address] = await addressesOf(name);
    // Without an MX record, senders use the address of the host (RFC 5321, 5.1).
    const consequence = address === undefined ? "customers' replies do not arrive" : `customers' replies are sent to port 25 of ${address}`;
    findings.push(warning(`DNS has no MX record for ${record}, so ${consequence}.`, fix));
  }
  return findings;
}
