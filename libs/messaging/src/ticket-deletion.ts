import { Inject, Injectable, type Type } from '@nestjs/common';
import {
  systemContext,
  ticketsDeleted,
  type Context,
  type DataOf,
  type ErasedKind,
  type JobType,
  type TenantContext,
} from '@tandem/contracts';
import { Database, deleteTicketEvents, deleteTicketRows, type PlatformTables } from '@tandem/db';
import { sql } from 'kysely';
import type { AnyTx } from './any-tx';
import { Consumes } from './events/consumes';
import { HandlesJob, Recovers, type PendingJob } from './jobs/jobs';

type DeletionJob = JobType & { tenant: true };

/** Minutes from each pass to the next: events and requests that were in flight have arrived by the last pass. */
const pauses = [1, 15, 24 * 60];
/** Tickets per transaction, so that locks are short. */
const batch = 500;

/** Deletes everything that a service stores about deleted tickets. */
export interface TicketDeletion {
  /** Deletes the rows of these tickets, and returns their numbers for the receipt. Called in each pass, so it can find none. */
  deleteRows(tx: AnyTx, ctx: TenantContext, ticket_ids: readonly string[], keep_figures: boolean): Promise<ErasedCounts>;
}
export type ErasedCounts = Partial<Record<ErasedKind, number>>;
/** The tables whose rows a receipt counts. */
export type ErasedTables = Readonly<Record<string, ErasedKind>>;

export const countsByKind = (rows: Readonly<Record<string, number>>, tables: ErasedTables): ErasedCounts =>
  Object.fromEntries(Object.entries(tables).flatMap(([table, kind]) => (rows[table] ? [[kind, rows[table]]] : [])));

/**
 * A provider that deletes a service's rows of deleted tickets: with `tickets.deleted`, and again in later passes, for events that arrive after
 * it. Later passes also delete the published events about them from the outbox. Subclasses override `deleteRows`.
 *
 * @param job the service's own deletion job
 * @param tables those that the receipt of an erasure counts
 */
export function ticketDeletion(job: DeletionJob, tables: ErasedTables = {}): Type<TicketDeletion> {
  @Injectable()
  class Deletion implements TicketDeletion {
    constructor(@Inject(Database) private readonly db: Database<PlatformTables>) {}

    @Consumes(ticketsDeleted, { name: 'ticket-deletion', from: 'beginning' })
    async onDeleted(ctx: TenantContext, data: DataOf<typeof ticketsDeleted>, tx: AnyTx): Promise<void> {
      const { ticket_ids, keep_figures, erasure_id } = data;
      await sql`
        insert into ticket_deletions (organization_id, ticket_id, keep_figures, erasure_id, next_pass_at)
        select ${ctx.organization_id}::uuid, id, ${keep_figures}, ${erasure_id}::uuid, now() + make_interval(mins => ${pauses[0]!}) from unnest(${ticket_ids}::uuid[]) id
        on conflict (organization_id, ticket_id) do update
          set keep_figures = ticket_deletions.keep_figures and excluded.keep_figures,
            erasure_id = coalesce(excluded.erasure_id, ticket_deletions.erasure_id), passes = 0, next_pass_at = excluded.next_pass_at`.execute(
        tx,
      );
      const erased = await this.deleteRows(tx, ctx, ticket_ids, keep_figures);
      if (erasure_id !== null) await saveErased(tx, ctx, ticket_ids[0]!, erased);
    }

    @Recovers(job)
    async findDue(): Promise<PendingJob[]> {
      const due = await this.db.asSystem('deleted tickets with a pass that is due', (tx) =>
        tx
          .selectFrom('ticket_deletions')
          .select('organization_id')
          .distinct()
          .where('next_pass_at', '<=', sql<string>`now()`)
          .limit(100)
          .execute(),
      );
      return due.map(({ organization_id }) => ({ id: organization_id, ctx: systemContext(organization_id, 'delete-tickets'), data: {} }));
    }

    /** If the process dies, the batch in progress is rolled back and the next run repeats it. */
    @HandlesJob(job, { concurrency: 1 })
    async run(ctx: Context): Promise<void> {
      const tenant = { ...ctx, organization_id: ctx.organization_id! };
      await deleteTicketEvents(this.db);
      for (let count = batch; count === batch;) count = await this.db.forTenant(tenant, (tx) => this.deleteBatch(tx, tenant));
    }

    /** Returns the number of tickets. */
    private async deleteBatch(tx: AnyTx, ctx: TenantContext): Promise<number> {
      const { rows } = await sql<{ ticket_id: string; keep_figures: boolean }>`
        select ticket_id, keep_figures from ticket_deletions
        where organization_id = ${ctx.organization_id}::uuid and next_pass_at <= now() order by ticket_id limit ${batch} for update`.execute(
        tx,
      );
      if (rows.length === 0) return 0;
      for (const keep of [true, false]) {
        const ids = rows.filter(({ keep_figures }) => keep_figures === keep).map(({ ticket_id }) => ticket_id);
        if (ids.length > 0) await this.deleteRows(tx, ctx, ids, keep);
      }
      await recordPass(
        tx,
        ctx,
        rows.map(({ ticket_id }) => ticket_id),
      );
      return rows.length;
    }

    async deleteRows(tx: AnyTx, ctx: TenantContext, ticket_ids: readonly string[], _keep_figures: boolean): Promise<ErasedCounts> {
      return countsByKind(await deleteTicketRows(tx, ctx.organization_id, ticket_ids), tables);
    }
  }
  return Deletion;
}

async function saveErased(tx: AnyTx, { organization_id }: TenantContext, ticket_id: string, erased: ErasedCounts): Promise<void> {
  if (Object.keys(erased).length === 0) return;
  await sql`
    update ticket_deletions set erased = ${JSON.stringify(erased)}::jsonb
    where organization_id = ${organization_id}::uuid and ticket_id = ${ticket_id}::uuid`.execute(tx);
}

/** Schedules the next pass of these tickets, and removes the rows of those that had the last. */
async function recordPass(tx: AnyTx, { organization_id }: TenantContext, ticket_ids: readonly string[]): Promise<void> {
  await sql`
    delete from ticket_deletions
    where organization_id = ${organization_id}::uuid and ticket_id = any(${ticket_ids}::uuid[]) and passes >= ${pauses.length - 1}`.execute(
    tx,
  );
  await sql`
    update ticket_deletions set passes = passes + 1, next_pass_at = now() + make_interval(mins => (${pauses}::int[])[passes + 2])
    where organization_id = ${organization_id}::uuid and ticket_id = any(${ticket_ids}::uuid[])`.execute(tx);
}
