import { Injectable } from '@nestjs/common';
import { sendEmail, type Context, type Envelope } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { EmailTokens } from '@tandem/platform';
import type { EmailData, EmailKind, NotificationsSchema } from '../schema';
import { findComposeInputs } from './compose';
import { claimedEmail, insertEmails, tableOf, type NewEmailRow } from './email.store';
import { ImmediateEmails } from './immediate-emails';

type EmailTx = Tx<NotificationsSchema>;

/** With `delayMs`, an email is not sent before that delay has passed. */
interface EmailOptions {
  ticket_id?: string | null;
  delayMs?: number;
}

/** An email to add in a batch. */
export interface NewEmail<K extends EmailKind = EmailKind> extends EmailOptions {
  ctx: Context;
  cause: Pick<Envelope, 'id'>;
  kind: K;
  to_address: string;
  data: EmailData[K];
}

/** Saves emails in the consumer's transaction, and sends them after the commit. */
@Injectable()
export class EmailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly tokens: EmailTokens,
    private readonly immediate: ImmediateEmails,
  ) {}

  /** Adds at most one email of a kind per event and address, so a second delivery of the event adds nothing. */
  async add<K extends EmailKind>(
    tx: EmailTx,
    ctx: Context,
    cause: Pick<Envelope, 'id'>,
    kind: K,
    to_address: string,
    data: EmailData[K],
    options: EmailOptions = {},
  ) {
    await this.addAll(tx, [{ ctx, cause, kind, to_address, data, ...options }]);
  }

  /** Like `add`, for emails of one organization. Claims those that this process can send right after the commit. */
  async addAll(tx: EmailTx, emails: readonly NewEmail[]) {
    if (emails.length === 0) return;
    const all = emails.map((email) => ({ ...email, row: this.rowOf(email) }));
    const immediate = all.filter(({ delayMs }) => delayMs === undefined);
    const mine = immediate.slice(0, this.immediate.reserve(tx, immediate.length));
    const claimed = new Set(mine);
    const rows = all.map((email) => ({ ...email.row, is_claimed: claimed.has(email) }));
    // In one round trip.
    const [created, inputs] = await Promise.all([
      insertEmails(tx, tableOf(emails[0]!.ctx), rows),
      findComposeInputs(
        tx,
        mine.map(({ row }) => row),
      ),
    ]);
    for (const { ctx, row, delayMs } of all.filter((email) => created.has(email.row.id) && !claimed.has(email)))
      this.schedule(tx, ctx, row.id, delayMs);
    const added = mine.map(({ ctx, row }, i) => ({ ctx, row, input: inputs[i]! })).filter(({ row }) => created.has(row.id));
    await this.immediate.sendClaimed(
      tx,
      added.map(({ row, ...rest }) => ({ ...rest, email: claimedEmail(row, created.get(row.id)!) })),
    );
  }

  private rowOf({ ctx, cause, kind, to_address, data, ticket_id = null, delayMs }: NewEmail): NewEmailRow {
    const id = newId();
    return {
      id,
      organization_id: ctx.organization_id,
      kind,
      to_address,
      data,
      ticket_id,
      event_id: cause.id,
      message_id: this.tokens.messageId(id, ticket_id),
      due_at: delayMs === undefined ? null : new Date(Date.now() + delayMs).toISOString(),
    };
  }

  /** Sends a saved email after the commit: this process sends it immediately if it can, otherwise a job does. */
  schedule(tx: EmailTx, ctx: Context, id: string, delayMs?: number) {
    if (delayMs === undefined && this.immediate.canSend) this.immediate.send(tx, ctx, id);
    else this.jobs.add(tx, ctx, sendEmail, { email_id: id, is_first: true }, { id, delayMs });
  }
}
