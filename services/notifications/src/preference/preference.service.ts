import { Controller } from '@nestjs/common';
import {
  readNotificationPreferences,
  saveNotificationPreferences,
  type Context,
  type InputOf,
  type NotificationPreferences,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { requireMember } from '../caller';
import type { NotificationsSchema } from '../schema';
import { findPreferences, savePreferences } from './preference.store';

/** Reads and saves which notifications a member receives, and how. */
@Controller()
export class PreferenceService {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  @Handles(readNotificationPreferences)
  async read(ctx: Context): Promise<NotificationPreferences> {
    const member = requireMember(ctx);
    return this.db.forTenant(ctx, (tx) => findPreferences(tx, member));
  }

  @Handles(saveNotificationPreferences)
  async save(ctx: Context, { body }: InputOf<typeof saveNotificationPreferences>): Promise<NotificationPreferences> {
    const member = requireMember(ctx);
    await this.db.forTenant(ctx, (tx) => savePreferences(tx, member, body));
    return body;
  }
}
