import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, requiredText, text, Timestamp } from './scalars';
import { dmarcPolicies } from './values/sender-checks';
import { dnsRecordStates } from './values/sender-domain';

const owner = 'notifications';

// ---- shapes ---------------------------------------------------------------------------------------------------

/** A CNAME record that the organization adds at its DNS provider. */
const DnsRecord = z.object({
  name: z.string(),
  value: z.string(),
  /** At the last check; null before the first. */
  state: z.enum(dnsRecordStates).nullable(),
  /** The value that DNS has instead, if it is wrong. */
  found: z.array(z.string()),
});
/** `is_in_use`: the key in use is at this record. The other one is for the next key. */
const SenderRecord = DnsRecord.extend({ is_in_use: z.boolean() });

/** The organization's own domain for emails to customers. */
export const SenderDomain = z.object({
  domain: z.string(),
  /** Emails to customers come from this address while `is_verified` is true, and from the product's domain otherwise. */
  address: z.string(),
  is_verified: z.boolean(),
  /** Whether the public key is in DNS at the record in use; false although that record is right: the operator has not published it. */
  is_key_published: z.boolean(),
  records: z.array(SenderRecord),
  /**
   * The record of the host to which undeliverable emails are returned. While `is_verified` is true, emails from this domain have it as the
   * envelope sender, so that they pass SPF for it; otherwise, a host of the product. `is_published` is false if the operator has no MX or
   * SPF record at the target.
   */
  bounces: z.object({ record: DnsRecord, is_verified: z.boolean(), is_published: z.boolean() }),
  /** The organization's DMARC record, or null without one; `policy` is null if the record is not valid. */
  dmarc: z.object({ name: z.string(), record: z.string().nullable(), policy: z.enum(dmarcPolicies).nullable() }),
  key_created_at: Timestamp,
  /** A new key waits until its record is in DNS. */
  is_rotating: z.boolean(),
  checked_at: Timestamp.nullable(),
  verified_at: Timestamp.nullable(),
});
export type SenderDomain = z.infer<typeof SenderDomain>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const domain = text(253)
  .toLowerCase()
  .regex(/^(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'Use a domain like example.com');
const localPart = requiredText(64, 'Enter the part before the @')
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, 'Use letters, digits, dots, hyphens and underscores')
  .refine((value) => !value.includes('..'), 'Two dots in a row are not allowed');

// ---- operations -----------------------------------------------------------------------------------------------

export const readSenderDomain = operation({
  name: 'notifications.readSenderDomain',
  summary: 'Read the domain that emails to customers come from, with its DNS records; null without one.',
  owner,
  method: 'GET',
  path: '/email/sender-domain',
  allow: 'organization.read',
  output: SenderDomain.nullable(),
});
export const saveSenderDomain = operation({
  name: 'notifications.saveSenderDomain',
  summary: 'Set the domain that emails to customers come from. It is used once its DNS record is verified.',
  owner,
  method: 'PUT',
  path: '/email/sender-domain',
  allow: 'organization.write',
  input: { body: z.strictObject({ domain, local_part: localPart.default('support') }) },
  output: SenderDomain,
});
export const checkSenderDomain = operation({
  name: 'notifications.checkSenderDomain',
  summary: 'Look up the DNS records of the sender domain now.',
  owner,
  method: 'POST',
  path: '/email/sender-domain/check',
  allow: 'organization.write',
  output: SenderDomain,
  problems: ['sender_domain.not_found', 'sender_domain.not_checked'],
});
export const rotateSenderKey = operation({
  name: 'notifications.rotateSenderKey',
  summary: 'Generate a new signing key. It replaces the current one once it is in DNS.',
  owner,
  method: 'POST',
  path: '/email/sender-domain/rotate-key',
  allow: 'organization.write',
  output: SenderDomain,
  problems: ['sender_domain.not_found', 'sender_domain.key_too_new'],
});
export const deleteSenderDomain = operation({
  name: 'notifications.deleteSenderDomain',
  summary: 'Send emails to customers from the product’s domain again.',
  owner,
  method: 'DELETE',
  path: '/email/sender-domain',
  allow: 'organization.write',
  output: z.object({}),
  problems: ['sender_domain.not_found'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log, and for the hosts at which bounces arrive. Its subject is the organization. */
export const senderDomainChanged = event(
  'sender_domain.changed',
  owner,
  z.object({
    what: z.enum(['saved', 'verified', 'lapsed', 'bounces_verified', 'bounces_lapsed', 'key_generated', 'deleted']),
    domain: z.string(),
  }),
  { audited: true },
);

/** Looks up the DNS records of one sender domain. The row stores when they were last checked. */
export const recheckSenderDomain = job({
  type: 'recheck_sender_domain',
  owner,
  queue: 'notifications',
  data: z.strictObject({ organization_id: Id }),
  attempts: 3,
  backoffMs: [60_000],
});
