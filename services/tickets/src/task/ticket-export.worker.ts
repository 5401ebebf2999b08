import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  systemContext,
  taskToolConnected,
  exportTickets,
  ticketSnapshot,
  ticketSnapshotCompleted,
  type DataOf,
  type JobDataOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Consumes, emit, emitAll, Jobs, HandlesJob, Recovers } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import {
  countUnpublished,
  deleteExport,
  findNextTicketsForUpdate,
  findExportForUpdate,
  findExportsAcrossOrganizations,
  insertExport,
  saveExport,
} from './ticket-export.store';

/** Tickets per transaction; changes of these tickets wait for it. */
const batch = 200;
/** Maximum number of unpublished events before the next batch, so that events of users do not wait behind ten thousand snapshots. */
const maxUnpublished = 2 * batch;
const pauseMs = 50;
/** After this time the broker is considered down; the sweeper resumes the export later. */
const brokerTimeoutMs = 20_000;

const jobId = (organization_id: string | null, connection_id: string) => `${organization_id}_${connection_id}`;

/** Exports all tickets to a newly connected task tool; a reconnect starts again from the first ticket. */
@Injectable()
export class TicketExportWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Consumes(taskToolConnected, { name: 'ticket-export', from: 'beginning' })
  async onConnected(ctx: TenantContext, { connection_id }: DataOf<typeof taskToolConnected>, tx: TicketsTx): Promise<void> {
    const { organization_id } = ctx;
    if (organization_id === null) return;
    await insertExport(tx, { organization_id, connection_id });
    this.jobs.add(tx, ctx, exportTickets, { connection_id }, { id: jobId(organization_id, connection_id) });
  }

  /** If the process dies, the batch in progress is rolled back and the next run repeats it. */
  @HandlesJob(exportTickets, { concurrency: 2 })
  async exportAll(ctx: TenantContext, { connection_id }: JobDataOf<typeof exportTickets>): Promise<void> {
    while (await this.hasOutboxCapacity()) {
      if (!(await this.db.forTenant(ctx, (tx) => exportBatch(tx, ctx, connection_id)))) return;
    }
  }

  @Recovers(exportTickets)
  async findUnfinished() {
    const running = await this.db.asSystem('exports without a job', findExportsAcrossOrganizations);
    return running.map(({ organization_id, connection_id }) => {
      const ctx = systemContext(organization_id, `sweep-${connection_id}`);
      return { id: jobId(organization_id, connection_id), ctx, data: { connection_id } };
    });
  }

  /** Waits until fewer than `maxUnpublished` events are unpublished; false after `brokerTimeoutMs`. */
  private async hasOutboxCapacity(): Promise<boolean> {
    for (const deadline = Date.now() + brokerTimeoutMs; Date.now() < deadline; await sleep(pauseMs)) {
      if ((await this.db.asSystem('unpublished events', (tx) => countUnpublished(tx, maxUnpublished))) < maxUnpublished) return true;
    }
    return false;
  }
}

/** Exports the next batch; false if it was the last one or the export no longer exists. */
async function exportBatch(tx: TicketsTx, ctx: TenantContext, connection_id: string): Promise<boolean> {
  const organization_id = ctx.organization_id;
  const row = await findExportForUpdate(tx, organization_id, connection_id);
  if (!row) return false;
  const tickets = await findNextTicketsForUpdate(tx, row.last_id, batch);
  const snapshots = tickets.map((ticket) => ({ subject: ticket.id, data: { ticket } }));
  await emitAll(tx, ctx, ticketSnapshot, snapshots);
  const exported_count = row.exported_count + tickets.length;
  if (tickets.length === batch) {
    await saveExport(tx, { organization_id, connection_id, last_id: tickets.at(-1)!.id, exported_count });
    return true;
  }
  await emit(tx, ctx, ticketSnapshotCompleted, organization_id, { connection_id, count: exported_count });
  await deleteExport(tx, organization_id, connection_id);
  return false;
}
