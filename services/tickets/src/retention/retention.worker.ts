import { Inject, Injectable } from '@nestjs/common';
import {
  applyRetention,
  privacyLimits,
  retentionChanged,
  systemContext,
  type RetentionPolicy,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deleteTickets } from '../ticket-deletion/delete-tickets';
import { nextNight } from './retention';
import { findDueAcrossOrganizations, findDuePolicyForUpdate, findExpiredTickets, findTimeZone, scheduleNext } from './retention.store';

/** Tickets per transaction. */
const batch = 100;

/** Deletes tickets after their retention time, at most 2,000 of an organization per night. */
@Injectable()
export class RetentionWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
  ) {}

  @Recovers(applyRetention)
  async findDue(): Promise<PendingJob<typeof applyRetention>[]> {
    const due = await this.db.asSystem('retention policies that are due', findDueAcrossOrganizations);
    return due.map(({ organization_id }) => ({ id: organization_id, ctx: systemContext(organization_id, 'retention'), data: {} }));
  }

  /** If the process dies, the next run deletes up to 2,000 tickets again: the policy is due until the last batch. */
  @HandlesJob(applyRetention, { concurrency: 1 })
  async apply(ctx: TenantContext): Promise<void> {
    let tickets = 0;
    while (tickets < privacyLimits.perNight) {
      const ids = await this.#findNext(ctx, Math.min(batch, privacyLimits.perNight - tickets));
      if (ids === undefined) return;
      if (ids.length === 0) break;
      tickets += (await deleteTickets({ db: this.db, storage: this.storage }, ctx, ids, { keep_figures: true })).ticket_ids.length;
    }
    await this.#finish(ctx, tickets);
  }

  /** Undefined if the policy is not due any more: an admin has changed it in the meantime. */
  #findNext(ctx: TenantContext, limit: number): Promise<string[] | undefined> {
    return this.db.forTenant(ctx, async (tx) => {
      const policy = await findDuePolicyForUpdate(tx, ctx.organization_id);
      return policy && findExpiredTickets(tx, policy, limit);
    });
  }

  #finish(ctx: TenantContext, tickets: number): Promise<void> {
    return this.db.forTenant(ctx, async (tx) => {
      const policy: RetentionPolicy | undefined = await findDuePolicyForUpdate(tx, ctx.organization_id);
      if (!policy) return;
      await scheduleNext(tx, ctx.organization_id, nextNight(await findTimeZone(tx), new Date()));
      if (tickets > 0) await emit(tx, ctx, retentionChanged, ctx.organization_id, { what: 'applied', policy, tickets });
    });
  }
}
