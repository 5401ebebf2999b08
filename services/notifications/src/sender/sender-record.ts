import type { dmarcPolicies, dnsRecordStates } from '@tandem/contracts/values';

export type Selector = 1 | 2;
export const selectors = [1, 2] as const;

type RecordState = (typeof dnsRecordStates)[number];
export type DmarcPolicy = (typeof dmarcPolicies)[number];

/** The DNS contents at the record of one selector. */
export interface FoundRecord {
  cname: string[];
  text: string[];
}
/** The DNS records of the bounce host. MX and SPF are those of the CNAME record's target. */
export interface FoundBounceHost {
  cname: string[];
  mail_servers: string[];
  spf: string[];
}
/** The result of one check, as stored. `dmarc` is null without a record. Lookups of earlier versions have no `bounces`. */
export interface SenderLookup {
  records: Record<Selector, FoundRecord>;
  bounces?: FoundBounceHost;
  dmarc: string | null;
}

/** The purpose with which private keys are sealed. */
export const dkimKeyPurpose = 'dkim-key';

export const keySelector = (selector: Selector): string => `tnd${selector}`;

/** The name that receivers query for the key of a signature (RFC 6376, 3.6.2.1). */
export const recordName = (domain: string, selector: Selector): string => `${keySelector(selector)}._domainkey.${domain}`;

/**
 * The name at which the operator publishes the key. It contains the organization's id, so the CNAME record also proves that the owner of
 * the domain chose this organization.
 */
export const publishedName = (organization_id: string, mailDomain: string, selector: Selector): string =>
  `${keySelector(selector)}.${organization_id}.dkim.${mailDomain}`;

export const keyRecord = (public_key: string): string => `v=DKIM1; k=rsa; p=${public_key}`;

/** A line for a zone file. DNS limits each string of a TXT record to 255 bytes, and a 2048-bit key is longer. */
export const zoneLine = (name: string, record: string): string =>
  `${name}. 300 IN TXT ${record
    .match(/.{1,255}/g)!
    .map((piece) => `"${piece}"`)
    .join(' ')}`;

/** The tags of a record like `v=DKIM1; k=rsa; p=…`. */
function tagsOf(record: string): Map<string, string> {
  const pairs = record.split(';').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.trim().toLowerCase(), ''] : [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1)];
  });
  return new Map(pairs);
}

/** Whether receivers get this key, and no other, for the signature. */
export function isPublished({ text }: FoundRecord, public_key: string): boolean {
  const keys = text.map((record) => tagsOf(record).get('p')?.replace(/\s/g, '')).filter((key) => key !== undefined);
  return keys.length === 1 && keys[0] === public_key;
}

const hostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** A domain may also contain a copy of the key instead of the CNAME record, as providers do that resolve CNAME records themselves. */
export function recordState(found: FoundRecord, target: string, public_key: string | undefined): RecordState {
  if (found.cname.some((name) => hostName(name) === target)) return 'found';
  if (public_key !== undefined && isPublished(found, public_key)) return 'found';
  return found.cname.length + found.text.length === 0 ? 'missing' : 'wrong';
}

export const isSpf = (record: string): boolean => /^v=spf1(?:\s|$)/i.test(record);

/** Bounces need the MX record and receivers the SPF record. Anything but a CNAME record would not follow a change of ours. */
export function bounceHostState({ cname, mail_servers, spf }: FoundBounceHost, target: string): RecordState {
  if (cname.some((name) => hostName(name) === target)) return 'found';
  return cname.length + mail_servers.length + spf.length === 0 ? 'missing' : 'wrong';
}

/** Whether the operator publishes what the target needs: with two SPF records, receivers ignore both (RFC 7208, 4.5). */
export const isBounceTargetPublished = ({ mail_servers, spf }: FoundBounceHost): boolean => mail_servers.length > 0 && spf.length === 1;

/** Whether bounces arrive at this host, and SPF passes for it. */
export const acceptsBounces = (found: FoundBounceHost | undefined, target: string): boolean =>
  found !== undefined && bounceHostState(found, target) === 'found' && isBounceTargetPublished(found);

/** The policy of a DMARC record (RFC 7489, 6.3); null if it is not valid. */
export function dmarcPolicy(record: string | null): DmarcPolicy | null {
  const policy = record === null ? undefined : tagsOf(record).get('p')?.trim().toLowerCase();
  return policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null;
}
