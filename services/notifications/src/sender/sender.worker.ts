import { Injectable } from '@nestjs/common';
import { recheckSenderDomain, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { SenderService } from './sender.service';
import { findSendersToCheckAcrossOrganizations } from './sender.store';

/** Looks up the DNS records of sender domains regularly: they appear and disappear without notice. */
@Injectable()
export class SenderWorker {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly senders: SenderService,
  ) {}

  @Recovers(recheckSenderDomain)
  async findDue(): Promise<PendingJob<typeof recheckSenderDomain>[]> {
    const due = await this.db.asSystem('find sender domains to check of all organizations', findSendersToCheckAcrossOrganizations);
    return due.map(({ organization_id }) => ({
      id: organization_id,
      ctx: systemContext(organization_id, `check-sender-${organization_id}`),
      data: { organization_id },
    }));
  }

  @HandlesJob(recheckSenderDomain, { concurrency: 1 })
  check(ctx: Context, { organization_id }: JobDataOf<typeof recheckSenderDomain>): Promise<void> {
    return this.senders.recheck({ ...ctx, organization_id });
  }
}
