import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  analyticsRebuildRequested,
  exportTickets,
  systemContext,
  taskToolConnected,
  ticketHistory,
  ticketHistoryCompleted,
  ticketSnapshot,
  ticketSnapshotCompleted,
  type Context,
  type DataOf,
  type ExportPurpose,
  type JobDataOf,
  type TenantContext,
  type Ticket,
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
  type ExportKey,
} from './ticket-export.store';
import { findHistories } from './ticket-history.store';

/** Tickets per transaction; changes of these tickets wait for it. */
const batch = 200;
/** Maximum number of unpublished events before the next batch, so that events of users do not wait behind ten thousand snapshots. */
const maxUnpublished = 2 * batch;
const pauseMs = 50;
/** After this time the broker is considered down; the sweeper resumes the export later. */
const brokerTimeoutMs = 20_000;

const jobId = (organization_id: string | null, request_id: string) => `${organization_id}_${request_id}`;

/** Exports all tickets to a newly connected task tool or for a rebuild of analytics; a repeated request starts again from the first ticket. */
@Injectable()
export class TicketExportWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Consumes(taskToolConnected, { name: 'ticket-export', from: 'beginning' })
  onConnected(ctx: TenantContext, { connection_id }: DataOf<typeof taskToolConnected>, tx: TicketsTx): Promise<void> {
    return this.startExport(tx, ctx, { purpose: 'task_tool', request_id: connection_id });
  }

  @Consumes(analyticsRebuildRequested, { name: 'ticket-history-export', from: 'beginning' })
  onRebuild(ctx: TenantContext, { rebuild_id }: DataOf<typeof analyticsRebuildRequested>, tx: TicketsTx): Promise<void> {
    return this.startExport(tx, ctx, { purpose: 'analytics', request_id: rebuild_id });
  }

  private async startExport(tx: TicketsTx, ctx: TenantContext, request: JobDataOf<typeof exportTickets>): Promise<void> {
    const { organization_id } = ctx;
    if (organization_id === null) return;
    await insertExport(tx, { organization_id, ...request });
    this.jobs.add(tx, ctx, exportTickets, request, { id: jobId(organization_id, request.request_id) });
  }

  /** If the process dies, the batch in progress is rolled back and the next run repeats it. */
  @HandlesJob(exportTickets, { concurrency: 2 })
  async exportAll(ctx: TenantContext, request: JobDataOf<typeof exportTickets>): Promise<void> {
    const key = { organization_id: ctx.organization_id, ...request };
    while (await this.hasOutboxCapacity()) {
      if (!(await this.db.forTenant(ctx, (tx) => exportBatch(tx, ctx, key)))) return;
    }
  }

  @Recovers(exportTickets)
  async findUnfinished() {
    const running = await this.db.asSystem('exports without a job', findExportsAcrossOrganizations);
    return running.map(({ organization_id, ...data }) => {
      const ctx = systemContext(organization_id, `sweep-${data.request_id}`);
      return { id: jobId(organization_id, data.request_id), ctx, data };
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
async function exportBatch(tx: TicketsTx, ctx: TenantContext, key: ExportKey): Promise<boolean> {
  const row = await findExportForUpdate(tx, key);
  if (!row) return false;
  const tickets = await findNextTicketsForUpdate(tx, row.last_id, batch);
  await emitTickets[key.purpose](tx, ctx, tickets);
  const exported_count = row.exported_count + tickets.length;
  if (tickets.length === batch) {
    await saveExport(tx, key, { last_id: tickets.at(-1)!.id, exported_count });
    return true;
  }
  await emitCompleted[key.purpose](tx, ctx, key, exported_count);
  await deleteExport(tx, key);
  return false;
}

const emitTickets: Record<ExportPurpose, (tx: TicketsTx, ctx: TenantContext, tickets: Ticket[]) => Promise<void>> = {
  task_tool: (tx, ctx, tickets) =>
    emitAll(
      tx,
      ctx,
      ticketSnapshot,
      tickets.map((ticket) => ({ subject: ticket.id, data: { ticket } })),
    ),
  analytics: emitHistories,
};

/** Emits the history of tickets that the caller has locked. */
export async function emitHistories(tx: TicketsTx, ctx: Context, tickets: readonly Ticket[]): Promise<void> {
  const histories = await findHistories(tx, tickets);
  const events = tickets.map((ticket) => ({ subject: ticket.id, data: { ticket, ...histories.get(ticket.id)! } }));
  await emitAll(tx, ctx, ticketHistory, events);
}

const emitCompleted: Record<ExportPurpose, (tx: TicketsTx, ctx: TenantContext, key: ExportKey, count: number) => Promise<void>> = {
  task_tool: (tx, ctx, { organization_id, request_id }, count) =>
    emit(tx, ctx, ticketSnapshotCompleted, organization_id, { connection_id: request_id, count }),
  analytics: (tx, ctx, { organization_id, request_id }, count) =>
    emit(tx, ctx, ticketHistoryCompleted, organization_id, { rebuild_id: request_id, count }),
};
