import { Injectable } from '@nestjs/common';
import {
  accountChanged,
  emailChangeRequested,
  emailConfirmationRequested,
  invitationCreated,
  passwordResetRequested,
  type Context,
  type DataOf,
  type Envelope,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { EmailQueue } from './email.queue';

/** An email about a user's own account belongs to no organization, even when its event comes from one. */
const personal = (ctx: Context): Context => ({ ...ctx, organization_id: null });

/** Emails to users about their own account, and invitations to an organization. */
@Injectable()
export class AccountEmails {
  constructor(private readonly emails: EmailQueue) {}

  @Consumes(emailConfirmationRequested, { name: 'email-confirmation-emails', from: 'now' })
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

  @Consumes(passwordResetRequested, { name: 'password-reset-emails', from: 'now' })
  async onPasswordResetRequested(
    ctx: Context,
    { email, first_name, sealed_token }: DataOf<typeof passwordResetRequested>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ) {
    await this.emails.add(tx, personal(ctx), envelope, 'password_reset', email, { first_name, sealed_token });
  }

  @Consumes(emailChangeRequested, { name: 'email-change-emails', from: 'now' })
  async onEmailChangeRequested(
    ctx: Context,
    { email, first_name, sealed_token }: DataOf<typeof emailChangeRequested>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ) {
    if (sealed_token === null) await this.emails.add(tx, personal(ctx), envelope, 'account_exists', email, { first_name });
    else await this.emails.add(tx, personal(ctx), envelope, 'confirm_email_change', email, { first_name, sealed_token });
  }

  @Consumes(accountChanged, { name: 'account-change-emails', from: 'now' })
  async onAccountChanged(
    ctx: Context,
    { email, first_name, what, deletion }: DataOf<typeof accountChanged>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ) {
    await this.emails.add(tx, personal(ctx), envelope, 'account_changed', email, { first_name, what, deletion });
  }

  @Consumes(invitationCreated, { name: 'invitation-emails', from: 'now' })
  async onInvitationCreated(
    ctx: Context,
    { invitation, invited_by, sealed_token }: DataOf<typeof invitationCreated>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ) {
    const { email, role, expires_at } = invitation;
    await this.emails.add(tx, ctx, envelope, 'invitation', email, { invited_by, role, expires_at, sealed_token });
  }
}
