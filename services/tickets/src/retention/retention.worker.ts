import { Injectable } from '@nestjs/common';
import {
  applyRetention,
  privacyLimits,
  retentionChanged,
  systemContext,
  ticketsDeleted,
  type RetentionPolicy,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { deleteTicketsWithRows } from '../ticket-deletion/delete-tickets.store';
import { anonymizeTickets } from './anonymize-tickets.store';
import { nextNight } from './retention';
import {
  findDueAcrossOrganizations,
  findDuePolicyForUpdate,
  findExpiredTicketsForUpdate,
  findTimeZone,
  scheduleNext,
} from './retention.store';

/** Tickets per transaction. */
const batch = 100;

/** Deletes or anonymizes tickets after their retention time, at most 2,000 of an organization per night. */
@Injectable()
export class RetentionWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(applyRetention)
  async findDue(): Promise<PendingJob<typeof applyRetention>[]> {
    const due = await this.db.asSystem('retention policies that are due', findDueAcrossOrganizations);
    return due.map(({ organization_id }) => ({ id: organization_id, ctx: systemContext(organization_id, 'retention'), data: {} }));
  }

  /** If the process dies, the next run applies the policy to up to 2,000 more tickets: it is due until the last batch. */
  @HandlesJob(applyRetention, { concurrency: 1 })
  async apply(ctx: TenantContext): Promise<void> {
    let tickets = 0;
    while (tickets < privacyLimits.perNight) {
      const limit = Math.min(batch, privacyLimits.perNight - tickets);
      const count = await this.db.forTenant(ctx, (tx) => applyToNext(tx, ctx, limit));
      if (count === undefined) return;
      if (count === 0) break;
      tickets += count;
    }
    await this.#finish(ctx, tickets);
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

/**
 * Returns the number of tickets; undefined if the policy is not due any more, because an admin has changed it in the meantime. The tickets are
 * locked while they are chosen, so that one that is reopened at the same time stays as it is. Their files are detached, and the sweep of unused files
 * removes them: they are older than a day.
 */
async function applyToNext(tx: TicketsTx, ctx: TenantContext, limit: number): Promise<number | undefined> {
  const policy = await findDuePolicyForUpdate(tx, ctx.organization_id);
  if (!policy) return undefined;
  const ticket_ids = await findExpiredTicketsForUpdate(tx, policy, limit);
  if (ticket_ids.length === 0) return 0;
  const is_anonymized = policy.action === 'anonymize';
  if (is_anonymized) await anonymizeTickets(tx, ctx.organization_id, ticket_ids);
  else await deleteTicketsWithRows(tx, ctx.organization_id, ticket_ids);
  await emit(tx, ctx, ticketsDeleted, ctx.organization_id, { ticket_ids, keep_figures: true, is_anonymized, erasure_id: null });
  return ticket_ids.length;
}
