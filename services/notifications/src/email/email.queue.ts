import { Injectable } from '@nestjs/common';
import { sendEmail, type Context, type Envelope } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { MailMarks } from '@tandem/platform';
import type { EmailData, EmailKind, NotificationsSchema } from '../schema';
import { insertEmail, tableOf } from './email.store';

/** Writes a mail down in the consumer's transaction, and asks for it to be sent once that has committed. */
@Injectable()
export class EmailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly marks: MailMarks,
  ) {}

  /** At most one mail of a kind per event and address: a second delivery of the event adds nothing. `delayMs`: not before that. */
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
      message_id: this.marks.messageId(id, ticket_id),
      due_at: delayMs === undefined ? null : new Date(Date.now() + delayMs).toISOString(),
    });
    if (added) this.ask(tx, ctx, id, delayMs);
  }

  /** Asks for a mail that is written down. */
  ask(tx: Tx<NotificationsSchema>, ctx: Context, id: string, delayMs?: number) {
    this.jobs.add(tx, ctx, sendEmail, { email_id: id }, { id, delayMs });
  }
}
