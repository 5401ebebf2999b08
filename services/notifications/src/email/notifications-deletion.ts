import { Inject, Injectable } from '@nestjs/common';
import { deleteInNotifications, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, organizationDeletion } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { deleteAccountEmails, findMemberAddresses } from './account-email.store';

const batch = 1_000;

/** Deletes the emails about the accounts of a deleted organization: they belong to no organization, so that its rows do not include them. */
@Injectable()
export class NotificationsDeletion extends organizationDeletion(deleteInNotifications) {
  constructor(
    @Inject(Database) private readonly notifications: Database<NotificationsSchema>,
    @Inject(Jobs) jobs: Jobs,
  ) {
    super(notifications, jobs);
  }

  override async beforeRows(ctx: TenantContext): Promise<void> {
    // Later passes find no members, but the emails about the deletion, which name the organization.
    const addresses = await this.notifications.forTenant(ctx, (tx) => findMemberAddresses(tx, ctx.organization_id));
    for (let count = batch; count >= batch;)
      count = await this.notifications.asSystem('emails about accounts that were deleted with their organization', (tx) =>
        deleteAccountEmails(tx, ctx.organization_id, addresses, batch),
      );
  }
}
