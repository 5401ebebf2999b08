import { Controller } from '@nestjs/common';
import {
  AppError,
  countUnreadNotifications,
  listNotifications,
  readNotifications,
  type Context,
  type InputOf,
  type Notification,
  type Page,
  type Unread,
} from '@tandem/contracts';
import { Database, paginate } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { requireMember } from '../caller';
import type { NotificationsSchema } from '../schema';
import { countUnread, hasAll, markRead, notificationsOf } from './notification.store';

/** Lets a member list, count and mark their own notifications. */
@Controller()
export class NotificationService {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  @Handles(listNotifications)
  async list(ctx: Context, { query }: InputOf<typeof listNotifications>): Promise<Page<Notification>> {
    const person = requireMember(ctx);
    return this.db.readTenant(ctx, (tx) => paginate(tx, notificationsOf(tx, person), query));
  }

  @Handles(countUnreadNotifications)
  async count(ctx: Context): Promise<Unread> {
    const person = requireMember(ctx);
    return this.db.readTenant(ctx, (tx) => countUnread(tx, person));
  }

  @Handles(readNotifications)
  async markRead(ctx: Context, { body }: InputOf<typeof readNotifications>): Promise<Unread> {
    const person = requireMember(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      if (!(await hasAll(tx, person, body.ids ?? []))) throw new AppError('notification.not_found');
      await markRead(tx, person, body);
      return countUnread(tx, person);
    });
  }
}
