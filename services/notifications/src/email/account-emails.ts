import { Controller } from '@nestjs/common';
import { emailConfirmationRequested, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { EmailQueue } from './email.queue';

/** What a person hears about their own account. */
@Controller()
export class AccountEmails {
  constructor(private readonly emails: EmailQueue) {}

  @Consumes(emailConfirmationRequested, { from: 'now' })
  async onEmailConfirmationRequested(
    ctx: Context,
    data: DataOf<typeof emailConfirmationRequested>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ) {
    const { email, first_name, sealed_token } = data;
    if (sealed_token === null) await this.emails.add(tx, ctx, envelope, 'account_exists', email, { first_name });
    else await this.emails.add(tx, ctx, envelope, 'confirm_email', email, { first_name, sealed_token });
  }
}
