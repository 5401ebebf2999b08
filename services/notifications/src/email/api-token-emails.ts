import { Injectable } from '@nestjs/common';
import { apiTokenChanged, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { findTeam } from '../member/member.store';
import type { NotificationsSchema } from '../schema';
import { EmailQueue } from './email.queue';

/** Emails about new API tokens to all active admins, the creator included. There is no preference that turns them off. */
@Injectable()
export class ApiTokenEmails {
  constructor(private readonly emails: EmailQueue) {}

  @Consumes(apiTokenChanged, { name: 'api-token-emails', from: 'now' })
  async onApiTokenChanged(
    ctx: TenantContext,
    { what, token }: DataOf<typeof apiTokenChanged>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    if (what !== 'created') return;
    const { name, permissions, networks, expires_at, creator_name, created_at } = token;
    const data = { name, permissions, networks, expires_at, creator_name, created_at };
    for (const { role, is_active, email } of await findTeam(tx, ctx.organization_id, [], true))
      if (role === 'admin' && is_active) await this.emails.add(tx, ctx, envelope, 'api_token_created', email, data);
  }
}
