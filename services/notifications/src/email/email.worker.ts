import { Inject, Injectable } from '@nestjs/common';
import { emailDelivered, emailFailed, Permanent, sendEmail, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, HandlesJob, Recovers } from '@tandem/messaging';
import { EmailTokens, Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import { isFinalAnswer, subjectOf } from './email';
import { claimEmail, findEmail, findUnfinishedEmailsAcrossOrganizations, markSent, markUnsent, tableOf, type Email } from './email.store';
import { makeMail, findSurroundings, type Surroundings } from './envelope';
import { Mailer } from './mailer';

/** Sends the mails that consumers have saved. The row is the source of truth; a job only triggers a check of it. */
@Injectable()
export class EmailWorker {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly mailer: Mailer,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @HandlesJob(sendEmail, { concurrency: 10 })
  async send(ctx: Context, { email_id }: JobDataOf<typeof sendEmail>, attempt: { number: number; last: boolean }) {
    const taken = await this.inScope(ctx, (tx) => this.takeUp(tx, ctx, email_id));
    if (!taken) return this.refuseUnlessDone(ctx, email_id);
    const { email, surroundings } = taken;
    try {
      await this.deliver(email, surroundings);
    } catch (error) {
      const final = attempt.last || isFinalAnswer(error) || error instanceof Permanent;
      await this.inScope(ctx, (tx) => this.recordFailure(tx, ctx, email, final, error));
      throw final ? new Permanent('The mail could not be sent', { cause: error }) : error;
    }
    await this.inScope(ctx, async (tx) => {
      await markSent(tx, tableOf(ctx), email.id);
      await emit(tx, ctx, emailDelivered, subjectOf(email), { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id });
    });
  }

  @Recovers(sendEmail)
  async findForgotten() {
    const forgotten = await this.db.asSystem('mails of everybody that Redis may have forgotten', async (tx) => [
      ...(await findUnfinishedEmailsAcrossOrganizations(tx, 'account_emails')),
      ...(await findUnfinishedEmailsAcrossOrganizations(tx, 'emails')),
    ]);
    return forgotten.map(({ id, organization_id }) => ({ id, ctx: systemContext(organization_id, `sweep-${id}`), data: { email_id: id } }));
  }

  /** Claims the mail and, in the same transaction, reads the organization and the conversation that it needs. */
  private async takeUp(tx: Tx<NotificationsSchema>, ctx: Context, email_id: string) {
    const email = await claimEmail(tx, tableOf(ctx), email_id);
    return email && { email, surroundings: await findSurroundings(tx, email) };
  }

  private deliver(email: Email, surroundings: Surroundings): Promise<void> {
    const { config, tokens } = this;
    return this.mailer.send(
      makeMail(email, surroundings, { config, tokens, open: (purpose, sealed) => this.secrets.open(purpose, sealed) }),
    );
  }

  /** For a mail that could not be claimed: nothing is left to do, or the job must run again after the other worker's claim has expired. */
  private async refuseUnlessDone(ctx: Context, email_id: string) {
    const email = await this.inScope(ctx, (tx) => findEmail(tx, tableOf(ctx), email_id));
    if (email?.state === 'sending' || email?.state === 'pending')
      throw new Error('Another worker is sending this mail, or it is not due yet');
  }

  private async recordFailure(tx: Tx<NotificationsSchema>, ctx: Context, email: Email, final: boolean, error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    await markUnsent(tx, tableOf(ctx), email.id, final ? 'failed' : 'pending', reason);
    if (final)
      await emit(tx, ctx, emailFailed, subjectOf(email), { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id, reason });
  }

  /** Mails to users without an organization are in a table outside tenancy. */
  private inScope<T>(ctx: Context, work: (tx: Tx<NotificationsSchema>) => Promise<T>): Promise<T> {
    return ctx.organization_id ? this.db.forTenant(ctx, work) : this.db.asSystem('a mail to a person without an organization', work);
  }
}
