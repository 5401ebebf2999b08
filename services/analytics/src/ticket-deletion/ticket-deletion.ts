import { Inject, Injectable } from '@nestjs/common';
import { deleteTicketsInAnalytics, type TenantContext, type TicketStats } from '@tandem/contracts';
import { anyOf, Database, deleteTicketRows } from '@tandem/db';
import { ticketDeletion, type ErasedCounts } from '@tandem/messaging';
import { markDirty } from '../day-roll-ups/dirty-days.store';
import { announceFigures } from '../organization/figures-changed';
import { findTimeZone, updateCounts } from '../organization/organization.store';
import { findFactsForUpdate, findMoments, type Fact } from '../rebuild/history.store';
import type { AnalyticsSchema, AnalyticsTx } from '../schema';
import { noCounts, toCounts } from '../ticket-facts/ticket-facts';

const isOver = ({ status }: Fact) => status === 'resolved' || status === 'closed';

/**
 * Deletes the facts of deleted tickets, and counts their days again. With `keep_figures`, the facts of resolved and closed tickets stay without
 * the customer's feedback; open ones would stay in the backlog for ever.
 */
@Injectable()
export class AnalyticsTicketDeletion extends ticketDeletion(deleteTicketsInAnalytics) {
  constructor(@Inject(Database) db: Database<AnalyticsSchema>) {
    super(db);
  }

  override async deleteRows(
    tx: AnalyticsTx,
    ctx: TenantContext,
    ticket_ids: readonly string[],
    keep_figures: boolean,
  ): Promise<ErasedCounts> {
    const facts = await findFactsForUpdate(tx, ticket_ids);
    const kept = keep_figures ? facts.filter(isOver) : [];
    await removeFeedback(
      tx,
      kept.map(({ ticket_id }) => ticket_id),
    );
    const keptIds = new Set(kept.map(({ ticket_id }) => ticket_id));
    const gone = facts.filter(({ ticket_id }) => !keptIds.has(ticket_id));
    if (gone.length > 0) await subtract(tx, ctx, gone);
    await deleteTicketRows(
      tx,
      ctx.organization_id,
      ticket_ids.filter((id) => !keptIds.has(id)),
    );
    if (gone.length > 0) await announceFigures(tx, ctx);
    const feedback = facts.filter((fact) => fact.feedback !== null).length;
    return feedback > 0 ? { feedback } : {};
  }
}

async function removeFeedback(tx: AnalyticsTx, ticket_ids: readonly string[]): Promise<void> {
  if (ticket_ids.length === 0) return;
  await tx
    .updateTable('ticket_facts')
    .set({ feedback: null })
    .where('ticket_id', '=', anyOf('uuid', ticket_ids))
    .where('feedback', 'is not', null)
    .execute();
}

/** Before the rows are deleted: their days are counted again without them. */
async function subtract(tx: AnalyticsTx, { organization_id }: TenantContext, facts: readonly Fact[]): Promise<void> {
  const moments = await findMoments(
    tx,
    facts.map(({ ticket_id }) => ticket_id),
  );
  const days = facts.flatMap(({ created_day, breached_day }) => [created_day, breached_day]);
  await markDirty(tx, organization_id, [...days, ...moments.map(({ day }) => day)]);
  await updateCounts(tx, organization_id, negative(facts.map(toCounts)), await findTimeZone(tx));
}

const negative = (counts: readonly TicketStats[]): TicketStats =>
  counts.reduce(
    (sum, { total, open, resolved, unassigned }) => ({
      total: sum.total - total,
      open: sum.open - open,
      resolved: sum.resolved - resolved,
      unassigned: sum.unassigned - unassigned,
    }),
    noCounts,
  );
