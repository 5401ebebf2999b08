import { Inject, Injectable } from '@nestjs/common';
import { AppError, pollMailbox, systemContext, type Context, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Recovers, HandlesJob, type PendingJob } from '@tandem/messaging';
import { EmailTokens, Secrets, type Logger, type ServiceConfig } from '@tandem/platform';
import type { ImapFlow } from 'imapflow';
import type { TicketsSchema } from '../schema';
import { withImap } from './imap';
import { parseRecipient } from './mail';
import { MailIntake } from './mail-intake';
import { MailParser } from './mail-parser';
import { mailboxPurpose } from './mailbox.service';
import { claimMailbox, findDueAcrossOrganizations, findSubdomain, recordPoll, type Connection } from './mailbox.store';
import { stepBytes } from './pieces';
import type { MailInConfig } from './variables';

const pollIntervalSeconds = 60;
/** Longer than the time limit of a poll (MAILBOX_POLL_MS), so that no other process starts one before it ends. */
const claimSeconds = 300;
/** Larger emails are recorded as refused, and stay in the mailbox with a flag. */
const maxBytes = 25 * 1024 * 1024;

/**
 * Fetches unseen emails from the mailboxes of organizations. Marks an email as seen only after it is stored: after a failure in between,
 * the next poll fetches it again, and equal bytes are stored once.
 */
@Injectable()
export class MailboxWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    private readonly intake: MailIntake,
    private readonly parser: MailParser,
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Recovers(pollMailbox)
  async findDue(): Promise<PendingJob<typeof pollMailbox>[]> {
    const due = await this.db.asSystem('mailboxes that are due for a poll', (tx) => findDueAcrossOrganizations(tx, pollIntervalSeconds));
    return due.map(({ organization_id, id }) => ({ id, ctx: systemContext(organization_id, `poll-${id}`), data: { mailbox_id: id } }));
  }

  @HandlesJob(pollMailbox, { concurrency: 4 })
  async poll(ctx: TenantContext, { mailbox_id }: JobDataOf<typeof pollMailbox>): Promise<void> {
    const mailbox = await this.db.forTenant(ctx, (tx) => claimMailbox(tx, ctx.organization_id, mailbox_id, claimSeconds));
    if (!mailbox) return;
    const error = await this.#fetchMails(ctx, mailbox);
    await this.db.forTenant(ctx, (tx) => recordPoll(tx, mailbox, error));
  }

  /** Returns null, or why it failed. */
  async #fetchMails(ctx: Context, mailbox: Connection): Promise<string | null> {
    const { ALLOW_PRIVATE_OUTBOUND: allowPrivate, MAILBOX_POLL_MS: pollMs } = this.config;
    try {
      const password = this.secrets.open(mailboxPurpose, mailbox.sealed_password);
      const own = await this.#addressOf(ctx, mailbox);
      await withImap({ ...mailbox, password }, { allowPrivate }, pollMs, (client) => this.#fetchUnseen(client, mailbox, own));
      return null;
    } catch (error) {
      this.log.warn({ error, mailbox_id: mailbox.id }, 'Could not fetch the mailbox');
      return error instanceof AppError && error.code === 'mailbox.unreachable'
        ? (error.detail ?? 'The mailbox could not be opened')
        : 'The connection broke while fetching. The next check continues.';
    }
  }

  /** The mailbox's own address: recipient of emails that name none of our token addresses. */
  async #addressOf(ctx: Context, { organization_id, username }: Connection): Promise<string> {
    if (/^[^\s@]+@[^\s@]+$/.test(username)) return username.toLowerCase();
    const subdomain = await this.db.forTenant(ctx, (tx) => findSubdomain(tx, organization_id));
    return this.tokens.supportAddress({ organization_id, subdomain });
  }

  /** Fetches one by one, oldest first. Flags emails that are too large, for people who open the mailbox. */
  async #fetchUnseen(client: ImapFlow, { organization_id }: Connection, own: string): Promise<void> {
    const end = Date.now() + this.config.MAILBOX_POLL_MS / 2;
    const uids = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of uids) {
      if (Date.now() > end) return;
      // Calls on a closed connection return nothing, as if the email had been deleted.
      if (!client.usable) throw new Error('The connection was closed');
      const about = await client.fetchOne(`${uid}`, { size: true }, { uid: true });
      if (!about) continue;
      if ((about.size ?? 0) > maxBytes) {
        await this.intake.recordTooLarge(organization_id, { size: about.size!, to_address: own, envelope_from: '' });
        await mark(client, uid, ['\\Seen', '\\Flagged']);
        continue;
      }
      const raw = await fetchSource(client, uid, about.size ?? 0);
      if (!raw) continue;
      const to_address = await this.#parseRecipient(organization_id, raw, own);
      await this.intake.accept(organization_id, { raw, to_address, envelope_from: '' });
      await mark(client, uid, ['\\Seen']);
    }
  }

  /** The recipient with one of our tokens, else the mailbox's address, because a fetched email has no envelope. */
  async #parseRecipient(organization_id: string, raw: readonly Buffer[], own: string): Promise<string> {
    const recipients = await this.parser.recipients(raw);
    const named = recipients.find((address) => {
      const recipient = parseRecipient(this.tokens, organization_id, address);
      return recipient !== undefined && recipient.for !== 'anything';
    });
    return named ?? own;
  }
}

/**
 * The bytes of an email, one piece after the other: the client would join the 25 MB of a whole one at once. Undefined if it was deleted, or if
 * the response does not contain it, so that the next check fetches it. Some servers ignore the range and send the whole email.
 */
async function fetchSource(client: ImapFlow, uid: number, size: number): Promise<Buffer[] | undefined> {
  const pieces: Buffer[] = [];
  for (let start = 0; start <= maxBytes; start += stepBytes) {
    const mail = await client.fetchOne(`${uid}`, { source: { start, maxLength: stepBytes } }, { uid: true });
    if (!mail || (start === 0 && !mail.source)) return undefined;
    if (!mail.source && start < size) throw new Error('The response does not contain the next part of the email');
    const piece = mail.source || Buffer.alloc(0);
    pieces.push(piece);
    if (piece.length !== stepBytes) return pieces;
  }
  throw new Error('The email is larger than the size that the mailbox has reported');
}

async function mark(client: ImapFlow, uid: number, flags: string[]): Promise<void> {
  if (!(await client.messageFlagsAdd(`${uid}`, flags, { uid: true }))) throw new Error('could not mark the email as seen');
}
