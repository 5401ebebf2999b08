import { Inject, Injectable } from '@nestjs/common';
import { sendEmail, type Context, type Envelope } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import type { NotificationsConfig } from '../config';
import type { EmailData, EmailKind, NotificationsSchema } from '../schema';
import { messageId } from './email';
import { insertEmail, tableOf } from './email.store';

/** Writes a mail down in the consumer's transaction, and asks for it to be sent once that has committed. */
@Injectable()
export class EmailQueue {
  constructor(
    private readonly jobs: Jobs,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  /** At most one mail of a kind per event and address: a second delivery of the event adds nothing. */
  async add<K extends EmailKind>(
    tx: Tx<NotificationsSchema>,
    ctx: Context,
    cause: Envelope,
    kind: K,
    to_address: string,
    data: EmailData[K],
    ticket_id: string | null = null,
  ) {
    const id = newId();
    const message_id = messageId(id, this.config.MAIL_DOMAIN, this.config.CONTEXT_SECRET);
    const added = await insertEmail(tx, tableOf(ctx), {
      id,
      organization_id: ctx.organization_id,
      kind,
      to_address,
      data: JSON.stringify(data),
      ticket_id,
      event_id: cause.id,
      message_id,
    });
    if (added) this.jobs.add(tx, ctx, sendEmail, { email_id: id }, { id });
  }
}
