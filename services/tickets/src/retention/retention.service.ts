import { Controller } from '@nestjs/common';
import {
  previewRetention,
  privacyLimits,
  readRetention,
  retentionChanged,
  saveRetention,
  type InputOf,
  type OutputOf,
  type RetentionPolicy,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { nextNight } from './retention';
import { countExpiredTickets, findPolicy, findTimeZone, noPolicy, savePolicy } from './retention.store';

/** Counting stops here. */
const maxCount = 100_000;

/** Which resolved and closed tickets are deleted or anonymized each night, which `retention.worker.ts` does. */
@Controller()
export class RetentionService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readRetention)
  async read(ctx: TenantContext): Promise<RetentionPolicy> {
    return (await this.db.readTenant(ctx, (tx) => findPolicy(tx, ctx.organization_id))) ?? noPolicy;
  }

  /** The policy is applied for the first time in the next night, so that a mistake can be corrected until then. */
  @Handles(saveRetention)
  save(ctx: TenantContext, { body }: InputOf<typeof saveRetention>): Promise<RetentionPolicy> {
    return this.db.forTenant(ctx, async (tx) => {
      const now = new Date();
      const policy = { ...body, updated_at: now.toISOString() };
      const next_run_at = body.is_active ? nextNight(await findTimeZone(tx), now) : null;
      await savePolicy(tx, { organization_id: ctx.organization_id, ...policy, next_run_at });
      await emit(tx, ctx, retentionChanged, ctx.organization_id, { what: 'updated', policy, tickets: 0 });
      return policy;
    });
  }

  @Handles(previewRetention)
  async preview(ctx: TenantContext, { body }: InputOf<typeof previewRetention>): Promise<OutputOf<typeof previewRetention>> {
    const tickets = await this.db.readTenant(ctx, (tx) => countExpiredTickets(tx, body, maxCount));
    return { tickets, nights: Math.ceil(tickets / privacyLimits.perNight) };
  }
}
