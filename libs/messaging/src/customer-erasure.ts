import { Injectable, type Type } from '@nestjs/common';
import { erasureRequested, type DataOf, type EventType, type identityErasureAnswered, type TenantContext } from '@tandem/contracts';
import { sql } from 'kysely';
import type { AnyTx } from './any-tx';
import { Consumes } from './events/consumes';
import { emit } from './events/outbox';

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
    @Consumes(erasureRequested, { name: 'customer-erasure', from: 'beginning' })
    async onRequested(ctx: TenantContext, { erasure_id, email, ticket_count }: DataOf<typeof erasureRequested>, tx: AnyTx): Promise<void> {
      if (hasTickets) await expectDeletedTickets(tx, ctx, erasure_id, ticket_count);
      await emit(tx, ctx, answer, erasure_id, { erasure_id, ...(await this.erase(tx, ctx, email)) });
    }

    async erase(_tx: AnyTx, _ctx: TenantContext, _email: string): Promise<Erased> {
      return { erased: {}, remains: [] };
    }
  }
  return Erasure;
}

/** @throws {Error} if `tickets.deleted` has not arrived for all of them yet: the event is delivered again */
async function expectDeletedTickets(tx: AnyTx, { organization_id }: TenantContext, erasure_id: string, count: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_deletions where organization_id = ${organization_id}::uuid and erasure_id = ${erasure_id}::uuid`.execute(
    tx,
  );
  const deleted = rows[0]!.count;
  if (deleted < count) throw new Error(`Only ${deleted} of ${count} tickets of the erasure are deleted yet`);
}
