import { Injectable } from '@nestjs/common';
import {
  analyticsRebuildRequested,
  exportTickets,
  systemContext,
  taskToolConnected,
  ticketHistories,
  ticketHistoryCompleted,
  ticketSnapshot,
  ticketSnapshotCompleted,
  type DataOf,
  type ExportPurpose,
  type JobDataOf,
  type TenantContext,
  type TicketHistory,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Consumes, emit, emitAll, Jobs, HandlesJob, Recovers, hasOutboxCapacity } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import {
  deleteExport,
  findLockedTickets,
  findExportForUpdate,
  findExportsAcrossOrganizations,
  insertExport,
  lockNextTickets,
  saveExport,
  type ExportKey,
} from './ticket-export.store';
import { findHistories } from './ticket-history.store';

/**
 * `batch`: tickets per transaction; changes of these tickets wait for it. `maxUnpublished`: the next batch waits while at least this many
 * events are unpublished, so that users' events do not queue behind those of thousands of exported tickets.
 */
const pace: Record<ExportPurpose, { batch: number; maxUnpublished: number }> = {
  task_tool: { batch: 200, maxUnpublished: 400 },
  analytics: { batch: 500, maxUnpublished: 20 },
};
/** The approximate size of an event with histories. The broker accepts 1 MB, and one history has up to 25 kB. */
const maxEventBytes = 400_000;

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
    while (await hasOutboxCapacity(this.db, pace[request.purpose].maxUnpublished)) {
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
}

/** Exports the next batch; false if it was the last one or the export no longer exists. */
async function exportBatch(tx: TicketsTx, ctx: TenantContext, key: ExportKey): Promise<boolean> {
  const row = await findExportForUpdate(tx, key);
  if (!row) return false;
  const { batch } = pace[key.purpose];
  const ids = await lockNextTickets(tx, key, row.last_id, batch);
  if (ids.length > 0) await emitTickets[key.purpose](tx, ctx, ids);
  const exported_count = row.exported_count + ids.length;
  if (ids.length === batch) {
    await saveExport(tx, key, { last_id: ids.at(-1)!, exported_count });
    return true;
  }
  await emitCompleted[key.purpose](tx, ctx, key, exported_count);
  await deleteExport(tx, key);
  return false;
}

const emitTickets: Record<ExportPurpose, (tx: TicketsTx, ctx: TenantContext, ids: string[]) => Promise<void>> = {
  task_tool: async (tx, ctx, ids) => {
    const tickets = await findLockedTickets(tx, ids);
    const events = tickets.map((ticket) => ({ subject: ticket.id, data: { ticket } }));
    await emitAll(tx, ctx, ticketSnapshot, events);
  },
  analytics: emitHistories,
};

/** Emits the histories of tickets that the caller has locked. */
export async function emitHistories(tx: TicketsTx, ctx: TenantContext, ids: readonly string[]): Promise<void> {
  for (const histories of inEvents(await findHistories(tx, ids))) await emit(tx, ctx, ticketHistories, ctx.organization_id, { histories });
}

function inEvents(all: readonly TicketHistory[]): TicketHistory[][] {
  const events: TicketHistory[][] = [];
  let bytes = Infinity;
  for (const history of all) {
    const size = Buffer.byteLength(JSON.stringify(history));
    bytes += size;
    if (bytes <= maxEventBytes) events.at(-1)!.push(history);
    else {
      events.push([history]);
      bytes = size;
    }
  }
  return events;
}

const emitCompleted: Record<ExportPurpose, (tx: TicketsTx, ctx: TenantContext, key: ExportKey, count: number) => Promise<void>> = {
  task_tool: (tx, ctx, { organization_id, request_id }, count) =>
    emit(tx, ctx, ticketSnapshotCompleted, organization_id, { connection_id: request_id, count }),
  analytics: (tx, ctx, { organization_id, request_id }, count) =>
    emit(tx, ctx, ticketHistoryCompleted, organization_id, { rebuild_id: request_id, count }),
};
