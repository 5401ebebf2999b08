/**
 * Prints the DNS records with the signing keys of all sender domains, as lines of a zone file: `dkim-records <MAIL_DOMAIN>`.
 * Organizations point their CNAME records at these names. Reads NOTIFICATIONS_DATABASE_URL.
 */
import { Database } from '@tandem/db';
import type { NotificationsSchema } from '@tandem/notifications/src/schema';
import { keyRecord, publishedName, zoneLine } from '@tandem/notifications/src/sender/sender-record';
import { findPublishedKeysAcrossOrganizations } from '@tandem/notifications/src/sender/sender.store';
import { requiredVariable, runCommand } from './command-line';

async function main(args: string[]): Promise<void> {
  const [mailDomain, ...rest] = args;
  if (mailDomain === undefined || rest.length > 0) throw new Error('usage: dkim-records <MAIL_DOMAIN>');
  const db = new Database<NotificationsSchema>({
    url: requiredVariable('NOTIFICATIONS_DATABASE_URL'),
    max: 1,
    applicationName: 'tandem-dkim-records',
  });
  try {
    const keys = await db.asSystem('public keys of all sender domains', findPublishedKeysAcrossOrganizations);
    for (const { organization_id, selector, public_key } of keys)
      console.log(zoneLine(publishedName(organization_id, mailDomain.toLowerCase(), selector), keyRecord(public_key)));
  } finally {
    await db.close();
  }
}

runCommand(main);
