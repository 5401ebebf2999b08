import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  emailDelivered,
  emailFailed,
  Permanent,
  sendEmail,
  systemContext,
  type Context,
  type JobDataOf,
  type TenantContext,
} from '@tandem/contracts';
import { mailServerRules } from '@tandem/contracts/values';
import { afterCommit, Database, DatabaseUnavailable, type Tx } from '@tandem/db';
import { emit, emitAll, NotYet, Recovers, type Attempt } from '@tandem/messaging';
import { EmailTokens, Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import { MailServerFailed } from '../mail-server/mail-server-failure';
import { mailServerWorks, nextStep, waitForServer } from '../mail-server/mail-server-health';
import { claimSeconds, isForCustomers, isPermanentFailure, subjectOf } from './email';
import {
  claimEmails,
  deleteEmail,
  findEmail,
  findUnfinishedAccountEmails,
  findUnfinishedEmailsAcrossOrganizations,
  markSent,
  markUnsent,
  tableOf,
  type Email,
} from './email.store';
import { countEmail, countSent } from './email.metrics';
import { finishStatusEmail } from './status-email';
import { composeEmail, findComposeInputs, type ComposeInput } from './compose';
import { Mailer } from './mailer';

/** A result that could not be stored is stored again after this pause. */
export const recordRetryMs = 1_000;

/** An email that this process has claimed, with the data that `composeEmail` needs. */
export interface ClaimedEmail {
  email: Email;
  input: ComposeInput;
  /** It has waited too long for a failing server, and is given up without an attempt. */
  isGivenUp: boolean;
}

/** Sends one email that a consumer has saved. The row is the source of truth; a job only triggers a check of it. */
@Injectable()
export class EmailWorker {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly mailer: Mailer,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  async send(ctx: Context, { email_id }: JobDataOf<typeof sendEmail>, attempt: Attempt): Promise<void> {
    const claimed = await this.inScope(ctx, (tx) => this.claim(tx, ctx, email_id));
    if (!claimed) return this.refuseUnlessDone(ctx, email_id);
    try {
      await this.deliver(claimed);
    } catch (error) {
      const final = attempt.last || isFinal(error);
      const waits = await this.inScope(ctx, (tx) => this.recordFailure(tx, ctx, claimed, final, error));
      // The email is due again later: the sweep adds its next job.
      if (waits) return;
      throw final ? new Permanent('The email could not be sent', { cause: error }) : error;
    }
    await this.recordSent(ctx, claimed);
  }

  /** Until the claim expires, an outage of PostgreSQL is waited for: the email has been sent, and the next attempt would send it again. */
  private async recordSent(ctx: Context, claimed: ClaimedEmail): Promise<void> {
    for (const until = Date.now() + claimSeconds * 1_000; ; await sleep(recordRetryMs)) {
      try {
        return await this.inScope(ctx, async (tx) => {
          markSent(tx, tableOf(ctx), [claimed.email.id]);
          await this.announceSent(tx, ctx, [{ ctx, claimed }]);
          await this.recordWorkingServer(tx, ctx, [claimed]);
        });
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || Date.now() > until) throw error;
      }
    }
  }

  @Recovers(sendEmail)
  async findUnsent() {
    const unsent = await this.db.asSystem('unsent emails of all organizations', async (tx) => [
      ...(await findUnfinishedAccountEmails(tx)),
      ...(await findUnfinishedEmailsAcrossOrganizations(tx)),
    ]);
    return unsent.map(({ id, organization_id }) => ({ id, ctx: systemContext(organization_id, `sweep-${id}`), data: { email_id: id } }));
  }

  private async claim(tx: Tx<NotificationsSchema>, ctx: Context, email_id: string): Promise<ClaimedEmail | undefined> {
    const [claimed] = await claimEmails(tx, tableOf(ctx), [email_id]);
    return claimed && (await this.prepare(tx, [{ ctx, email: claimed }]))[0];
  }

  /**
   * Reads the data for claimed emails in the transaction of the claim, unless the caller has read it there. Undefined for an email that is no
   * longer to be sent.
   */
  async prepare(
    tx: Tx<NotificationsSchema>,
    all: readonly { ctx: Context; email: Email; input?: ComposeInput }[],
  ): Promise<(ClaimedEmail | undefined)[]> {
    const unread = all.filter(({ input }) => input === undefined).map(({ email }) => email);
    const [emails, read] = await Promise.all([
      Promise.all(all.map(({ ctx, email }) => finishStatusEmail(tx, ctx, email))),
      findComposeInputs(tx, unread),
    ]);
    const inputs = new Map(unread.map((email, i) => [email, read[i]!]));
    return Promise.all(
      all.map(async ({ ctx, email, input = inputs.get(email)! }, i) => emails[i] && (await this.prepareOne(tx, ctx, emails[i], input))),
    );
  }

  private async prepareOne(
    tx: Tx<NotificationsSchema>,
    ctx: Context,
    email: Email,
    input: ComposeInput,
  ): Promise<ClaimedEmail | undefined> {
    // The organization may have been unknown when the email was stored; without it, no email is composed.
    if (isOfDemo(email, input)) {
      await deleteEmail(tx, tableOf(ctx), email.id);
      return undefined;
    }
    // Only one email at a time tries a failing server, so the others have to be given up without an attempt.
    const step = isOfTenant(ctx) && isForCustomers(email.kind) ? await nextStep(tx, ctx, email, input) : 'try';
    return step === 'wait' ? undefined : { email, input, isGivenUp: step === 'give_up' };
  }

  async deliver({ email, input, isGivenUp }: ClaimedEmail): Promise<void> {
    if (isGivenUp) throw new Permanent(waitedTooLong);
    const { config, tokens } = this;
    await this.mailer.send(composeEmail(email, input, { config, tokens, open: (purpose, sealed) => this.secrets.open(purpose, sealed) }));
  }

  /** For an email that could not be claimed: nothing is left to do, or the job must run again, in case another worker's claim expires. */
  private async refuseUnlessDone(ctx: Context, email_id: string) {
    const email = await this.inScope(ctx, (tx) => findEmail(tx, tableOf(ctx), email_id));
    const waitsForServer = email?.state === 'pending' && email.attempts > 0 && Date.parse(email.due_at ?? '') > Date.now();
    if (waitsForServer) return;
    if (email?.state === 'sending' || email?.state === 'pending')
      throw new NotYet('another worker is sending this email, or it is not due yet');
  }

  /** Returns whether the email waits for the organization's own server, instead of being tried again by its job. */
  async recordFailure(
    tx: Tx<NotificationsSchema>,
    ctx: Context,
    { email, input }: ClaimedEmail,
    final: boolean,
    error: unknown,
  ): Promise<boolean> {
    if (isOfTenant(ctx) && (await waitForServer(tx, ctx, email, input, error))) return true;
    const reason = error instanceof Error ? error.message : String(error);
    await markUnsent(tx, tableOf(ctx), email.id, final ? 'failed' : 'pending', reason);
    afterCommit(tx, () => countEmail(final ? 'failed' : 'deferred'));
    if (final)
      await emit(tx, ctx, emailFailed, subjectOf(email), { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id, reason });
    return false;
  }

  /** In one statement, unless two of the emails are about one subject. */
  async announceSent(tx: Tx<NotificationsSchema>, scope: Context, sent: readonly { ctx: Context; claimed: ClaimedEmail }[]): Promise<void> {
    afterCommit(tx, () => sent.forEach(({ claimed }) => countSent(claimed.email)));
    const events = sent.map(({ ctx, claimed: { email } }) => ({
      ctx,
      subject: subjectOf(email),
      data: { email_id: email.id, kind: email.kind, ticket_id: email.ticket_id },
    }));
    if (new Set(events.map(({ subject }) => subject)).size === events.length) return emitAll(tx, scope, emailDelivered, events);
    for (const { ctx, subject, data } of events) await emit(tx, ctx, emailDelivered, subject, data);
  }

  /** A failing server that accepted one of these emails works again. */
  async recordWorkingServer(tx: Tx<NotificationsSchema>, ctx: Context, sent: readonly ClaimedEmail[]): Promise<void> {
    const wasFailing = sent.some(({ email, input }) => isForCustomers(email.kind) && input.organization?.server_failing_since != null);
    if (isOfTenant(ctx) && wasFailing) await mailServerWorks(tx, ctx);
  }

  /** Emails to users without an organization are in a table outside tenancy. */
  inScope<T>(ctx: Context, work: (tx: Tx<NotificationsSchema>) => Promise<T>): Promise<T> {
    return ctx.organization_id ? this.db.forTenant(ctx, work) : this.db.asSystem('an email to a user without an organization', work);
  }
}

/** Demo organizations send no emails, and the addresses of their members do not exist. */
const isOfDemo = ({ to_address }: Email, { organization }: ComposeInput): boolean =>
  organization?.is_demo === true || to_address.endsWith('.demo.invalid');

const waitedTooLong = `The organization's mail server accepted no emails for ${mailServerRules.retryDays} days`;

const isOfTenant = (ctx: Context): ctx is TenantContext => ctx.organization_id !== null;

/** An email that has waited too long for its organization's server is given up. */
export const isFinal = (error: unknown): boolean =>
  isPermanentFailure(error) || error instanceof Permanent || error instanceof MailServerFailed;
