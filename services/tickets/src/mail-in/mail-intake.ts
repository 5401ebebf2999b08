import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { processInboundMail, systemContext, type TenantContext } from '@tandem/contracts';
import { afterCommit, Database, newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { EmailTokens } from '@tandem/platform';
import type { TicketsSchema } from '../schema';
import {
  findBounceDomainOwnersAcrossOrganizations,
  findLabelOwnerAcrossOrganizations,
  measureBacklog,
  insertInboundMail,
  hasIdAddress,
} from './inbound.store';
import { backlogLimits, parseRecipient } from './mail';
import { hashInSteps, lengthOf } from './pieces';
import { RecentMails } from './recent-mails';
import type { SmtpClient } from './spf-client';

export interface ArrivedMail {
  /** The bytes, in blocks. */
  raw: Buffer[];
  /** The envelope's recipient at this organization. */
  to_address: string;
  /** The envelope's sender; empty for reports. */
  envelope_from: string;
  /** For SPF; omitted for fetched emails and behind a relay. */
  client?: SmtpClient | undefined;
}

/** The organization's backlog is full. The email is not refused: the sending server or the mailbox keeps it and delivers it later. */
class BacklogFull extends Error {
  constructor() {
    super('backlog full: too many unprocessed emails of this organization');
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The entry point for emails from SMTP and IMAP: accepted emails are in the database, and no other component needs to keep them. */
@Injectable()
export class MailIntake {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly recent: RecentMails,
    private readonly tokens: EmailTokens,
  ) {}

  /**
   * Stores the email and adds its job in one transaction: once this resolves, the sender may delete its copy. The same bytes for the same
   * recipient (resent after a lost response, or fetched twice) add nothing. Throws if the database is unavailable or the organization's
   * backlog is full; the email is then delivered again. The worker consumes `raw` afterwards.
   */
  async accept(organization_id: string, { raw, to_address, envelope_from, client }: ArrivedMail): Promise<void> {
    const ctx = systemContext(organization_id, `mail-${newId()}`);
    const [digest, size] = [await digestOf(raw, to_address), lengthOf(raw)];
    await this.db.forTenant(ctx, async (tx) => {
      const { mails, bytes } = await measureBacklog(tx, organization_id);
      if (mails >= backlogLimits.mails || bytes + size > backlogLimits.bytes) throw new BacklogFull();
      const mail = { ...envelopeOf(ctx, to_address, envelope_from, client), digest, size };
      if (!(await insertInboundMail(tx, { ...mail, outcome: null, reason: null }, raw))) return;
      // Before the job, so that the worker finds the bytes.
      afterCommit(tx, () => this.recent.add(mail.id, raw));
      this.jobs.add(tx, ctx, processInboundMail, { inbound_id: mail.id }, { id: mail.id });
    });
  }

  /** Records that an email was too large, without its contents. */
  async recordTooLarge(organization_id: string, mail: Omit<ArrivedMail, 'raw'> & { size: number }): Promise<void> {
    const ctx = systemContext(organization_id, `mail-${newId()}`);
    const row = { ...envelopeOf(ctx, mail.to_address, mail.envelope_from), size: mail.size, digest: `too large ${newId()}` };
    await this.db.forTenant(ctx, (tx) => insertInboundMail(tx, { ...row, outcome: 'refused', reason: 'too_large' }, null));
  }

  /** The organization whose email has bounced to this address at its own domain. The token of the address decides between several. */
  async bounceOwner(address: string, domain: string): Promise<string | undefined> {
    const owners = await this.db.asSystem('find the organization of a bounce', (tx) =>
      findBounceDomainOwnersAcrossOrganizations(tx, domain),
    );
    return owners.find((owner) => parseRecipient(this.tokens, owner, address)?.for === 'bounce');
  }

  /** The organization for a host label: the current or latest owner of the subdomain, or the organization with this id. */
  async labelOwner(label: string): Promise<string | undefined> {
    const owner = await this.db.asSystem('find the organization of a mail label', (tx) => findLabelOwnerAcrossOrganizations(tx, label));
    if (owner !== undefined || !uuid.test(label)) return owner;
    return (await this.db.forTenant({ organization_id: label }, (tx) => hasIdAddress(tx, label))) ? label : undefined;
  }
}

/** Maximum length of an address (RFC 5321); a reply to a longer one could not be delivered. */
const maxAddressLength = 320;

/** Equal for the same bytes to the same recipient. */
async function digestOf(raw: readonly Buffer[], to_address: string): Promise<string> {
  const content = createHash('sha256');
  await hashInSteps(content, raw);
  return createHash('sha256').update(content.digest()).update(to_address.toLowerCase()).digest('hex');
}

const envelopeOf = (ctx: TenantContext, to_address: string, envelope_from: string, client?: SmtpClient) => ({
  organization_id: ctx.organization_id,
  id: newId(),
  to_address: to_address.slice(0, maxAddressLength),
  envelope_from: envelope_from.slice(0, maxAddressLength),
  client_address: client?.address ?? null,
  client_name: client?.name.slice(0, maxAddressLength) ?? null,
});
