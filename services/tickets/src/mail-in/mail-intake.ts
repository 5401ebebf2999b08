import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { processInboundMail, systemContext, type Context } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { findOwnerOfLabel, findWaiting, insertInboundMail, isKnownOrganization } from './inbound.store';
import { waiting } from './mail';
import type { SmtpClient } from './sender-checks';

export interface ArrivedMail {
  raw: Buffer;
  /** The envelope's recipient at this organization. */
  to_address: string;
  /** The envelope's sender; empty for reports. */
  envelope_from: string;
  /** For SPF; left out for fetched email and behind a relay. */
  client?: SmtpClient | undefined;
}

/** More than is worked on in a while. Not refused: its sender, or the mailbox that it lies in, keeps it until there is room. */
class TooMuchWaiting extends Error {
  constructor() {
    super('Too many mails of this organization wait');
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The one door for mails, however they come: what it has taken is in the database, and nothing else needs to remember it. */
@Injectable()
export class MailIntake {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Keeps the mail and asks for its work, in one transaction: once this resolves, its sender may forget it. The same bytes for the same recipient
   * once more (offered again after a lost answer, or fetched a second time) add nothing. Throws without the database, and while too much of its
   * organization waits: it comes again.
   */
  async take(organization_id: string, { raw, to_address, envelope_from, client }: ArrivedMail): Promise<void> {
    const ctx = systemContext(organization_id, `mail-${newId()}`);
    const digest = createHash('sha256').update(raw).update('\0').update(to_address.toLowerCase()).digest('hex');
    await this.db.forTenant(ctx, async (tx) => {
      const { mails, bytes } = await findWaiting(tx, organization_id);
      if (mails >= waiting.mails || bytes + raw.length > waiting.bytes) throw new TooMuchWaiting();
      const mail = { ...envelopeOf(ctx, to_address, envelope_from, client), digest, size: raw.length };
      if (await insertInboundMail(tx, { ...mail, raw, outcome: null, reason: null }))
        this.jobs.add(tx, ctx, processInboundMail, { inbound_id: mail.id }, { id: mail.id });
    });
  }

  /** A mail that was too large to be taken: that it came is kept, and nothing of it. */
  async refuse(organization_id: string, mail: Omit<ArrivedMail, 'raw'> & { size: number }): Promise<void> {
    const ctx = systemContext(organization_id, `mail-${newId()}`);
    const row = { ...envelopeOf(ctx, mail.to_address, mail.envelope_from), size: mail.size, digest: `too large ${newId()}` };
    await this.db.forTenant(ctx, (tx) => insertInboundMail(tx, { ...row, raw: null, outcome: 'refused', reason: 'too_large' }));
  }

  /** Whose mail comes to this host label: the organization that has the subdomain, or had it last; or the one with this id. */
  async labelOwner(label: string): Promise<string | undefined> {
    const owner = await this.db.asSystem('whose mail this is', (tx) => findOwnerOfLabel(tx, label));
    if (owner !== undefined || !uuid.test(label)) return owner;
    return (await this.db.forTenant({ organization_id: label }, (tx) => isKnownOrganization(tx, label))) ? label : undefined;
  }
}

/** As RFC 5321 bounds an address; a longer sender is nobody whom an answer would reach. */
const longestAddress = 320;

const envelopeOf = (ctx: Context, to_address: string, envelope_from: string, client?: SmtpClient) => ({
  organization_id: ctx.organization_id!,
  id: newId(),
  to_address: to_address.slice(0, longestAddress),
  envelope_from: envelope_from.slice(0, longestAddress),
  client_address: client?.address ?? null,
  client_name: client?.name.slice(0, longestAddress) ?? null,
});
