import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  Permanent,
  processInboundMail,
  pruneInboundMails,
  systemContext,
  type Context,
  type JobDataOf,
  type SenderChecks,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { EmailTokens, type ServiceConfig } from '@tandem/platform';
import type { TicketsSchema } from '../schema';
import {
  deletePastMailsAcrossOrganizations,
  findForgottenAcrossOrganizations,
  findsPastMailsAcrossOrganizations,
  findWaitingMail,
  lockWaitingMail,
  recordOutcome,
  type Known,
  type WaitingMail,
} from './inbound.store';
import { cut, likenessOf, mailboxOf, pruneBatch, senderOf, sortFiles } from './mail';
import { decide, type Decision } from './mail-decision';
import { MailFiles } from './mail-files';
import { actingFor, write, type KeptFiles, type MailFacts } from './mail-writing';
import { parseMail } from './parse';
import { UnreadableMail, type ParsedMail } from './parsed-mail';
import { SenderCheck } from './sender-check.service';
import type { MailInConfig } from './variables';

/** Concurrent e-mails; each is in memory several times while it is parsed. */
const atOnce = 3;

/** A temporary outage: the e-mail stays unprocessed and is tried again, instead of being refused after the last attempt. */
const isOutage = (error: unknown): boolean => error instanceof AppError && error.code === 'service.unavailable';

/** Processes stored e-mails, each in one transaction with all of its effects. */
@Injectable()
export class MailWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly files: MailFiles,
    private readonly tokens: EmailTokens,
    private readonly senders: SenderCheck,
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
  ) {}

  @HandlesJob(processInboundMail, { concurrency: atOnce })
  async process(ctx: Context, { inbound_id }: JobDataOf<typeof processInboundMail>, attempt: { last: boolean }): Promise<void> {
    const row = await this.db.forTenant(ctx, (tx) => findWaitingMail(tx, ctx.organization_id!, inbound_id));
    if (!row) return;
    try {
      await this.#work(ctx, row);
    } catch (error) {
      if (!attempt.last || isOutage(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      await this.#turnAway(ctx, row, {}, cut(`failed: ${why}`, 500));
      throw new Permanent('A mail could not be worked on', { cause: error });
    }
  }

  @Recovers(processInboundMail)
  async findForgotten(): Promise<PendingJob<typeof processInboundMail>[]> {
    const forgotten = await this.db.asSystem('mails of everybody that Redis may have forgotten', findForgottenAcrossOrganizations);
    return forgotten.map(({ id, organization_id }) => ({
      id,
      ctx: systemContext(organization_id, `sweep-${id}`),
      data: { inbound_id: id },
    }));
  }

  /** Deletes in batches with their own transactions, so that locks are short and a process that dies loses only one batch. */
  @HandlesJob(pruneInboundMails, { concurrency: 1 })
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('mails that are past their time go', (tx) => deletePastMailsAcrossOrganizations(tx, pruneBatch));
    } while (deleted === pruneBatch);
  }

  /** One job for all expired e-mails; none if there are none. */
  @Recovers(pruneInboundMails)
  async findPast(): Promise<PendingJob<typeof pruneInboundMails>[]> {
    const isDue = await this.db.asSystem('whether mails are past their time', findsPastMailsAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-inbound-mails'), data: {} }] : [];
  }

  async #work(ctx: Context, row: WaitingMail): Promise<void> {
    let mail: ParsedMail;
    try {
      mail = await parseMail(row.raw!);
    } catch (error) {
      if (!(error instanceof UnreadableMail)) throw error;
      return this.#turnAway(ctx, row, {}, cut(error.message, 500));
    }
    const { client_address: address, client_name: name } = row;
    const client = address === null ? undefined : { address, name: name ?? '' };
    const checks = await this.senders.check(row.raw!, row.envelope_from, client);
    const files = await this.#keepFiles(ctx, row, mail, checks);
    let used = false;
    try {
      used = await this.#write(ctx, row, mail, { files, checks });
    } finally {
      if (!used) await this.files.forget(ctx, files.ids);
    }
  }

  /** Files cannot be stored within the transaction. So decides in advance whether they are needed, and again in the transaction. */
  async #keepFiles(ctx: Context, row: WaitingMail, mail: ParsedMail, checks: SenderChecks): Promise<FilesOfActor> {
    if (mail.files.length === 0) return { ids: [], leftOut: [], of: null };
    const decision = await this.db.forTenant(ctx, (tx) => this.#decide(tx, row, mail, checks));
    if (!takesFiles(decision)) return { ids: [], leftOut: [], of: null };
    const acting = actingFor(ctx, decision);
    const { taken, leftOut } = sortFiles(mail.files);
    return { ids: await this.files.keep(acting, taken), leftOut, of: acting.actor.type };
  }

  #decide = (tx: Parameters<typeof decide>[0], row: WaitingMail, mail: ParsedMail, checks: SenderChecks): Promise<Decision> =>
    decide(tx, row, mail, { tokens: this.tokens, domain: this.config.MAIL_DOMAIN, checks });

  /** Returns whether the files are now in use. */
  #write(ctx: Context, row: WaitingMail, mail: ParsedMail, facts: MailFacts & { files: FilesOfActor }): Promise<boolean> {
    return this.db.forTenant(ctx, async (tx) => {
      if (!(await lockWaitingMail(tx, row.organization_id, row.id))) return false;
      const decision = await this.#decide(tx, row, mail, facts.checks);
      const isOther = mail.files.length > 0 && takesFiles(decision) && actingFor(ctx, decision).actor.type !== facts.files.of;
      if (isOther) throw new Error('Its ticket has changed while its files were stored: once more');
      const outcome = await write(tx, ctx, decision, mail, facts);
      await recordOutcome(tx, row.organization_id, row.id, { ...knownOf(row, mail), checks: facts.checks }, outcome);
      return takesFiles(decision);
    });
  }

  /** Refuses the e-mail and keeps its bytes. */
  #turnAway(ctx: Context, row: WaitingMail, known: Known, reason: string): Promise<void> {
    return this.db.forTenant(ctx, (tx) => recordOutcome(tx, row.organization_id, row.id, known, { outcome: 'refused', reason }));
  }
}

type ActorType = Context['actor']['type'];
type FilesOfActor = KeptFiles & { of: ActorType | null };
const takesFiles = ({ as }: Decision): boolean => as === 'ticket' || as === 'comment' || as === 'note';

const knownOf = (row: WaitingMail, mail: ParsedMail, sender = senderOf(mail, row)): Known => ({
  from_address: sender,
  sender_mailbox: sender === null ? null : mailboxOf(sender),
  subject: mail.subject,
  message_id: mail.message_id,
  likeness: likenessOf(mail),
});
