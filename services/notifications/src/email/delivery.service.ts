import { Controller } from '@nestjs/common';
import {
  AppError,
  emailBounced,
  listTicketEmails,
  mailBounced,
  mailReceived,
  retryEmail,
  type DataOf,
  type Envelope,
  type InputOf,
  type TicketEmail,
  type TenantContext,
} from '@tandem/contracts';
import { afterCommit, Database, type Tx } from '@tandem/db';
import { Consumes, emit, Handles } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import {
  findBouncedAddresses,
  findTicketEmailForUpdate,
  findTicketEmails,
  deleteBounce,
  saveBounce,
  markBounced,
  markForRetry,
} from './delivery.store';
import { subjectOf } from './email';
import { countEmail } from './email.metrics';
import { EmailQueue } from './email.queue';
import { saveReceivedMessage } from './thread.store';
import { oneLine } from './text';

type DeliveryTx = Tx<NotificationsSchema>;

/** The delivery log of emails to customers, and the emails received from them. */
@Controller()
export class DeliveryService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly emails: EmailQueue,
  ) {}

  @Handles(listTicketEmails)
  list(ctx: TenantContext, { params }: InputOf<typeof listTicketEmails>) {
    const organization_id = ctx.organization_id;
    return this.db.readTenant(ctx, async (tx) => {
      const emails = await findTicketEmails(tx, organization_id, params.id);
      const addresses = emails.map(({ to_address }) => to_address);
      return { emails, bounced: await findBouncedAddresses(tx, organization_id, addresses) };
    });
  }

  /** A retry means that staff trust the address, so its bounce is deleted and other emails to it are sent again, too. */
  @Handles(retryEmail)
  retry(ctx: TenantContext, { params }: InputOf<typeof retryEmail>): Promise<TicketEmail> {
    const organization_id = ctx.organization_id;
    return this.db.forTenant(ctx, async (tx) => {
      const email = await findTicketEmailForUpdate(tx, organization_id, params.id);
      if (!email || email.ticket_id === null) throw new AppError('email.not_found');
      if (email.state !== 'failed' && email.state !== 'bounced') throw new AppError('email.not_retryable');
      await deleteBounce(tx, organization_id, email.to_address);
      const waiting = await markForRetry(tx, organization_id, email.id);
      this.emails.schedule(tx, ctx, email.id);
      return waiting;
    });
  }

  /**
   * Handles a bounce report for an email of this organization; row-level security hides all others. The bounced address is the one that the
   * email was sent to, because the report may name one that it was forwarded to. A delay only updates `last_error`: the other server keeps
   * trying. An email that was given up for a temporary cause, such as a full mailbox, did not arrive, but further emails are still sent.
   */
  @Consumes(mailBounced, { name: 'incoming-bounces', from: 'now' })
  async onMailBounced(ctx: TenantContext, bounce: DataOf<typeof mailBounced>, tx: DeliveryTx, envelope: Envelope) {
    const organization_id = ctx.organization_id;
    const email = await findTicketEmailForUpdate(tx, organization_id, bounce.email_id);
    if (!email || email.state === 'bounced') return;
    const details = [bounce.status, bounce.diagnostic].filter(Boolean).join(' ');
    const reason = details === '' ? null : oneLine(details, 500);
    const isLost = bounce.permanent || bounce.is_final;
    await markBounced(tx, organization_id, email.id, isLost, reason);
    if (!isLost) return;
    const { id: email_id, kind, ticket_id, to_address: address } = email;
    afterCommit(tx, () => countEmail('bounced'));
    if (bounce.permanent) await saveBounce(tx, organization_id, address, reason, envelope.time);
    await emit(tx, ctx, emailBounced, subjectOf(email), { email_id, kind, ticket_id, address, reason });
  }

  /** Stored so that later emails on the ticket can name it in `References`. */
  @Consumes(mailReceived, { name: 'incoming-emails', from: 'now' })
  async onMailReceived(ctx: TenantContext, mail: DataOf<typeof mailReceived>, tx: DeliveryTx, envelope: Envelope) {
    const { ticket_id, message_id, references, subject } = mail;
    const organization_id = ctx.organization_id;
    const received = { message_id, mail_references: references, subject, received_at: envelope.time };
    await saveReceivedMessage(tx, { organization_id, ticket_id, ...received });
  }
}
