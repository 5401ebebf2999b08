import { Inject, Injectable } from '@nestjs/common';
import { emailDelivered, emailFailed, Permanent, sendEmail, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Sweeps, Works } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import { autoSubmitted, isFinalAnswer } from './email';
import {
  claimEmail,
  findEmail,
  findOrganization,
  findUnfinishedEmailsAcrossOrganizations,
  markSent,
  markUnsent,
  tableOf,
  type Email,
} from './email.store';
import { Mailer } from './mailer';
import { render } from './render';

/** Sends what the consumers wrote down. The row is the truth: a job only says when to look at it. */
@Injectable()
export class EmailWorker {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly mailer: Mailer,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @Works(sendEmail, { concurrency: 10 })
  async send(ctx: Context, { email_id }: JobDataOf<typeof sendEmail>, attempt: { number: number; last: boolean }) {
    const email = await this.inScope(ctx, (tx) => claimEmail(tx, tableOf(ctx), email_id));
    if (!email) return this.refuseUnlessDone(ctx, email_id);
    try {
      await this.deliver(ctx, email);
    } catch (error) {
      const final = attempt.last || isFinalAnswer(error);
      await this.inScope(ctx, (tx) => this.recordFailure(tx, ctx, email, final, error));
      throw final ? new Permanent('The mail could not be sent', { cause: error }) : error;
    }
    await this.inScope(ctx, async (tx) => {
      await markSent(tx, tableOf(ctx), email.id);
      await emit(tx, ctx, emailDelivered, email.id, { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id });
    });
  }

  @Sweeps(sendEmail)
  async findForgotten() {
    const forgotten = await this.db.asSystem('mails of everybody that Redis may have forgotten', async (tx) => [
      ...(await findUnfinishedEmailsAcrossOrganizations(tx, 'account_emails')),
      ...(await findUnfinishedEmailsAcrossOrganizations(tx, 'emails')),
    ]);
    return forgotten.map(({ id, organization_id }) => ({ id, ctx: systemContext(organization_id, `sweep-${id}`), data: { email_id: id } }));
  }

  private async deliver(ctx: Context, email: Email) {
    const organization = await this.organizationOf(ctx);
    const { subject, text, html } = render(email.kind, email.data, {
      public_url: this.config.PUBLIC_URL,
      organization,
      to_address: email.to_address,
      open: (purpose, sealed) => this.secrets.open(purpose, sealed),
    });
    await this.mailer.send({
      message_id: email.message_id,
      to: email.to_address,
      sender_name: organization ? `${organization.name} Support` : 'Tandem',
      subject,
      text,
      html,
      // Our own mark stops loops.
      headers: {
        'Auto-Submitted': autoSubmitted(email.kind),
        'X-Auto-Response-Suppress': 'All',
        'X-Tandem-Loop': ctx.organization_id ?? 'tandem',
      },
    });
  }

  private async organizationOf(ctx: Context) {
    const { organization_id } = ctx;
    if (!organization_id) return null;
    const organization = await this.db.forTenant(ctx, (tx) => findOrganization(tx, organization_id));
    if (!organization) throw new Error('The organization of this mail is not known yet');
    return organization;
  }

  /** A job whose row is not to be had either has nothing left to do, or must come back when the other worker's claim has ended. */
  private async refuseUnlessDone(ctx: Context, email_id: string) {
    const email = await this.inScope(ctx, (tx) => findEmail(tx, tableOf(ctx), email_id));
    if (email?.state === 'sending' || email?.state === 'pending') throw new Error('Another worker is sending this mail');
  }

  private async recordFailure(tx: Tx<NotificationsSchema>, ctx: Context, email: Email, final: boolean, error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    await markUnsent(tx, tableOf(ctx), email.id, final ? 'failed' : 'pending', reason);
    if (final) await emit(tx, ctx, emailFailed, email.id, { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id, reason });
  }

  /** Mails to a person without an organization are in a table outside tenancy. */
  private inScope<T>(ctx: Context, work: (tx: Tx<NotificationsSchema>) => Promise<T>): Promise<T> {
    return ctx.organization_id ? this.db.forTenant(ctx, work) : this.db.asSystem('a mail to a person without an organization', work);
  }
}
