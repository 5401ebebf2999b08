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
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Recovers, HandlesJob, type PendingJob } from '@tandem/messaging';
import { EmailTokens, type ServiceConfig } from '@tandem/platform';
import type { TicketsSchema } from '../schema';
import {
  deleteExpiredMailsAcrossOrganizations,
  findUnprocessedAcrossOrganizations,
  hasExpiredMailsAcrossOrganizations,
  findUnprocessedMail,
  lockUnprocessedMail,
  readRaw,
  recordOutcome,
  type MailSummary,
  type UnprocessedMail,
} from './inbound.store';
import { truncate, contentHash, canonicalMailbox, pruneBatch, senderOf, selectFiles } from './mail';
import { decide, type Decision } from './mail-decision';
import { MailFiles } from './mail-files';
import { MailParser } from './mail-parser';
import { RecentMails } from './recent-mails';
import { actingContext, applyDecision, type StoredFiles, type MailDetails } from './apply-mail';
import { UnreadableMail, type ParsedMail } from './parsed-mail';
import type { MailInConfig } from './variables';

/** Concurrent emails; each is in memory several times while it is parsed. */
const maxConcurrency = 3;

/** A temporary outage: the email stays unprocessed and is tried again, instead of being refused after the last attempt. */
const isOutage = (error: unknown): boolean => error instanceof AppError && error.code === 'service.unavailable';

/** Processes stored emails, each in one transaction with all of its effects. */
@Injectable()
export class MailWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly files: MailFiles,
    private readonly tokens: EmailTokens,
    private readonly parser: MailParser,
    private readonly recent: RecentMails,
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
  ) {}

  @HandlesJob(processInboundMail, { concurrency: maxConcurrency })
  async process(ctx: TenantContext, { inbound_id }: JobDataOf<typeof processInboundMail>, attempt: { last: boolean }): Promise<void> {
    const row = await this.db.forTenant(ctx, (tx) => findUnprocessedMail(tx, ctx.organization_id, inbound_id));
    if (!row) return;
    try {
      await this.#processMail(ctx, row);
    } catch (error) {
      if (!attempt.last || isOutage(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      await this.#refuse(ctx, row, {}, truncate(`failed: ${why}`, 500));
      throw new Permanent('The email could not be processed', { cause: error });
    }
  }

  @Recovers(processInboundMail)
  async findUnprocessed(): Promise<PendingJob<typeof processInboundMail>[]> {
    const unprocessed = await this.db.asSystem('unprocessed emails of all organizations', findUnprocessedAcrossOrganizations);
    return unprocessed.map(({ id, organization_id }) => ({
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
      deleted = await this.db.asSystem('delete expired emails', (tx) => deleteExpiredMailsAcrossOrganizations(tx, pruneBatch));
    } while (deleted === pruneBatch);
  }

  /** One job for all expired emails; none if there are none. */
  @Recovers(pruneInboundMails)
  async findExpired(): Promise<PendingJob<typeof pruneInboundMails>[]> {
    const isDue = await this.db.asSystem('whether emails have expired', hasExpiredMailsAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-inbound-mails'), data: {} }] : [];
  }

  async #processMail(ctx: TenantContext, row: UnprocessedMail): Promise<void> {
    const raw = this.recent.take(row.id) ?? (await this.db.forTenant(ctx, (tx) => readRaw(tx, row)));
    if (!raw) return;
    const { client_address: address, client_name: name } = row;
    const client = address === null ? undefined : { address, name: name ?? '' };
    let parsed: Awaited<ReturnType<MailParser['parse']>>;
    try {
      parsed = await this.parser.parse(raw, row.envelope_from, client);
    } catch (error) {
      if (!(error instanceof UnreadableMail)) throw error;
      return this.#refuse(ctx, row, {}, truncate(error.message, 500));
    }
    const { mail, checks } = parsed;
    const files = await this.#storeFiles(ctx, row, mail, checks);
    let isUsed = false;
    try {
      isUsed = await this.#apply(ctx, row, mail, { files, checks });
    } finally {
      if (!isUsed) await this.files.discard(ctx, files.ids);
    }
  }

  /** Files cannot be stored within the transaction, so the worker decides in advance whether they are needed, and again in the transaction. */
  async #storeFiles(ctx: TenantContext, row: UnprocessedMail, mail: ParsedMail, checks: SenderChecks): Promise<FilesWithActor> {
    if (mail.files.length === 0) return { ids: [], skipped: [], actor: null };
    const decision = await this.db.forTenant(ctx, (tx) => this.#decide(tx, row, mail, checks));
    if (!usesFiles(decision)) return { ids: [], skipped: [], actor: null };
    const acting = actingContext(ctx, decision);
    const { taken, skipped } = selectFiles(mail.files);
    return { ids: await this.files.store(acting, taken), skipped, actor: acting.actor.type };
  }

  #decide = (tx: Parameters<typeof decide>[0], row: UnprocessedMail, mail: ParsedMail, checks: SenderChecks): Promise<Decision> =>
    decide(tx, row, mail, { tokens: this.tokens, domain: this.config.MAIL_DOMAIN, checks });

  /** Returns whether the files are now in use. */
  #apply(ctx: Context, row: UnprocessedMail, mail: ParsedMail, details: MailDetails & { files: FilesWithActor }): Promise<boolean> {
    return this.db.forTenant(ctx, async (tx) => {
      if (!(await lockUnprocessedMail(tx, row.organization_id, row.id))) return false;
      const decision = await this.#decide(tx, row, mail, details.checks);
      const actorChanged = mail.files.length > 0 && usesFiles(decision) && actingContext(ctx, decision).actor.type !== details.files.actor;
      if (actorChanged) throw new Error('The ticket changed while the files were stored: retry');
      const outcome = await applyDecision(tx, ctx, decision, mail, details);
      await recordOutcome(tx, row.organization_id, row.id, { ...summarize(row, mail), checks: details.checks }, outcome);
      return usesFiles(decision);
    });
  }

  /** Refuses the email and keeps its bytes. */
  #refuse(ctx: Context, row: UnprocessedMail, known: MailSummary, reason: string): Promise<void> {
    return this.db.forTenant(ctx, (tx) => recordOutcome(tx, row.organization_id, row.id, known, { outcome: 'refused', reason }));
  }
}

type ActorType = Context['actor']['type'];
type FilesWithActor = StoredFiles & { actor: ActorType | null };
const usesFiles = ({ kind }: Decision): boolean => kind === 'ticket' || kind === 'comment' || kind === 'note';

const summarize = (row: UnprocessedMail, mail: ParsedMail, sender = senderOf(mail, row)): MailSummary => ({
  from_address: sender,
  sender_mailbox: sender === null ? null : canonicalMailbox(sender),
  subject: mail.subject,
  message_id: mail.message_id,
  content_hash: contentHash(mail),
});
