import { Injectable } from '@nestjs/common';
import { sendEmail, type Context, type Envelope } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { EmailTokens } from '@tandem/platform';
import type { EmailData, EmailKind, NotificationsSchema } from '../schema';
import { insertEmail, tableOf } from './email.store';

/** Saves a mail in the consumer's transaction, and queues the job that sends it after the commit. */
@Injectable()
export class EmailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly tokens: EmailTokens,
  ) {}

  /**
   * Adds at most one mail of a kind per event and address, so a second delivery of the event adds nothing. With `delayMs`, it is not sent
   * before that delay has passed.
   */
  async add<K extends EmailKind>(
    tx: Tx<NotificationsSchema>,
    ctx: Context,
    cause: Pick<Envelope, 'id'>,
    kind: K,
    to_address: string,
    data: EmailData[K],
    { ticket_id = null, delayMs }: { ticket_id?: string | null; delayMs?: number } = {},
  ) {
    const id = newId();
    const added = await insertEmail(tx, tableOf(ctx), {
      id,
      organization_id: ctx.organization_id,
      kind,
      to_address,
      data: JSON.stringify(data),
      ticket_id,
      event_id: cause.id,
      message_id: this.tokens.messageId(id, ticket_id),
      due_at: delayMs === undefined ? null : new Date(Date.now() + delayMs).toISOString(),
    });
    if (added) this.schedule(tx, ctx, id, delayMs);
  }

  /** Queues the job that sends a saved mail. */
  schedule(tx: Tx<NotificationsSchema>, ctx: Context, id: string, delayMs?: number) {
    this.jobs.add(tx, ctx, sendEmail, { email_id: id }, { id, delayMs });
  }
}
