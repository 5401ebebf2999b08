import { Inject, Injectable, type Type } from '@nestjs/common';
import { erasureRequested, type DataOf, type EventType, type identityErasureAnswered, type TenantContext } from '@tandem/contracts';
import { Database, deleteEventsContaining } from '@tandem/db';
import { sql } from 'kysely';
import type { AnyTx } from './any-tx';
import { Consumes } from './events/consumes';
import { emit } from './events/outbox';
import type { ErasedCounts } from './ticket-deletion';

type Answer = DataOf<typeof identityErasureAnswered>;
export type Erased = Pick<Answer, 'erased' | 'remains'>;

/** Deletes what a service stores about an erased customer. */
export interface CustomerErasure {
  /** Deletes what is not about one of the customer's tickets. Called once. */
  erase(tx: AnyTx, ctx: TenantContext, email: string): Promise<Erased>;
}

/**
 * A provider that answers the erasure of a customer. Subclasses override `erase` if the service stores data by the address.
 *
 * @param answer the service's own event
 * @param hasTickets whether the service has a `ticketDeletion`: it answers after the customer's tickets are deleted
 */
export function customerErasure(answer: EventType, { hasTickets }: { hasTickets: boolean }): Type<CustomerErasure> {
  @Injectable()
  class Erasure implements CustomerErasure {
    constructor(@Inject(Database) private readonly db: Database) {}

    @Consumes(erasureRequested, { name: 'customer-erasure', from: 'beginning' })
    async onRequested(ctx: TenantContext, { erasure_id, email, ticket_count }: DataOf<typeof erasureRequested>, tx: AnyTx): Promise<void> {
      const ofTickets = hasTickets ? await countDeletedTickets(tx, ctx, erasure_id, ticket_count) : {};
      // Also the dead letter of this event, if it is being replayed.
      const events = await deleteEventsContaining(this.db, ctx.organization_id, email);
      const { erased, remains } = await this.erase(tx, ctx, email);
      await emit(tx, ctx, answer, erasure_id, { erasure_id, erased: sum(ofTickets, erased, { events }), remains });
    }

    async erase(_tx: AnyTx, _ctx: TenantContext, _email: string): Promise<Erased> {
      return { erased: {}, remains: [] };
    }
  }
  return Erasure;
}

const sum = (...counts: readonly ErasedCounts[]): ErasedCounts => {
  const all: ErasedCounts = {};
  for (const [kind, count] of counts.flatMap((one) => Object.entries(one) as [keyof ErasedCounts, number][]))
    if (count > 0) all[kind] = (all[kind] ?? 0) + count;
  return all;
};

/**
 * What was deleted with the tickets of the erasure.
 *
 * @throws {Error} if `tickets.deleted` has not arrived for all of them yet: the event is delivered again
 */
async function countDeletedTickets(
  tx: AnyTx,
  { organization_id }: TenantContext,
  erasure_id: string,
  count: number,
): Promise<ErasedCounts> {
  const { rows } = await sql<{ erased: ErasedCounts | null }>`
    select erased from ticket_deletions where organization_id = ${organization_id}::uuid and erasure_id = ${erasure_id}::uuid`.execute(tx);
  if (rows.length < count) throw new Error(`Only ${rows.length} of ${count} tickets of the erasure are deleted yet`);
  return sum(...rows.map(({ erased }) => erased ?? {}));
}
