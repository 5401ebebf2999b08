import { Inject, Injectable, type Type } from '@nestjs/common';
import {
  exportLimits,
  exportRequested,
  systemContext,
  type DataOf,
  type EventType,
  type ExportLine,
  type ExportLineFile,
  type ExportPart,
  type JobType,
  type TenantContext,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { AnyTx } from './any-tx';
import { Consumes } from './events/consumes';
import { emit } from './events/outbox';
import { hasOutboxCapacity } from './events/outbox-capacity';
import { HandlesJob, Jobs, Recovers, type PendingJob } from './jobs/jobs';

/** A page of the lines of a file. */
export interface ExportPage<Line> {
  lines: Line[];
  /** Where the next page begins, as JSON; null after the last page. */
  next: unknown;
}

/** Lines that a service adds to exports of organizations. */
export interface ExportSource<S = unknown> {
  file: ExportLineFile;
  /** `after`: `next` of the page before; null for the first page. `customer_email`: '' in exports of everything. */
  readPage(tx: Tx<S>, ctx: TenantContext, after: unknown, customer_email: string): Promise<ExportPage<unknown>>;
}

/** A source whose lines have the type of their file. The service selects their columns by name, so that no secret gets into an export. */
export const exportSource = <S, File extends ExportLineFile>(
  file: File,
  readPage: (tx: Tx<S>, ctx: TenantContext, after: unknown, customer_email: string) => Promise<ExportPage<ExportLine<File>>>,
): ExportSource<S> => ({ file, readPage });

/** A source with few lines, all of which are read at once. */
export const shortExportSource = <S, File extends ExportLineFile>(
  file: File,
  read: (tx: Tx<S>, ctx: TenantContext) => Promise<ExportLine<File>[]>,
): ExportSource<S> => exportSource<S, File>(file, async (tx, ctx) => ({ lines: await read(tx, ctx), next: null }));

/** Both exist per service. */
interface PartOptions<S> {
  event: EventType<string, typeof ExportPart>;
  job: JobType & { tenant: true };
  sources: readonly ExportSource<S>[];
  /** What the service stores about a customer, for exports of that customer. */
  customerSources?: readonly ExportSource<S>[];
}

/** Users' events must not queue behind those of an export: it pauses while this many are unpublished. */
const maxUnpublished = 20;

interface Position {
  /** The index of the source. */
  source: number;
  /** `next` of the page before. */
  after: unknown;
  next_index: number;
  customer_email: string | null;
}

/**
 * A provider that sends a service's part of an export: the consumer of `export.requested` inserts a row in `export_requests`, and a job sends
 * the lines. Each page and the new position are one transaction, so that every line is sent exactly once, however often the process is killed.
 */
export function exportPart<S>({ event, job, sources, customerSources = [] }: PartOptions<S>): Type<object> {
  @Injectable()
  class ExportPartWorker {
    constructor(
      @Inject(Database) private readonly db: Database<S>,
      @Inject(Jobs) private readonly jobs: Jobs,
    ) {}

    @Consumes(exportRequested, { name: 'export-part', from: 'beginning' })
    async request(ctx: TenantContext, { export_id, customer_email }: DataOf<typeof exportRequested>, tx: AnyTx): Promise<void> {
      await sql`
        insert into export_requests (organization_id, export_id, customer_email)
        values (${ctx.organization_id}, ${export_id}, ${customer_email}) on conflict do nothing`.execute(tx);
      this.jobs.add(tx, ctx, job, { export_id }, { id: export_id });
    }

    @Recovers(job)
    async findUnfinished(): Promise<PendingJob[]> {
      const { rows } = await this.db.asSystem('parts of exports without a job', (tx) =>
        sql<{ organization_id: string; export_id: string }>`
          select organization_id, export_id from export_requests order by created_at limit 100`.execute(tx),
      );
      return rows.map(({ organization_id, export_id }) => ({
        id: export_id,
        ctx: systemContext(organization_id, `export-${export_id}`),
        data: { export_id },
      }));
    }

    @HandlesJob(job, { concurrency: 2 })
    async send(ctx: TenantContext, data: unknown): Promise<void> {
      const { export_id } = data as { export_id: string };
      while (await hasOutboxCapacity(this.db, maxUnpublished)) {
        if (!(await this.db.forTenant(ctx, (tx) => sendPage(tx, ctx, export_id)))) return;
      }
    }
  }

  /** Sends the next page; false if the part is complete or no longer requested. */
  async function sendPage(tx: Tx<S>, ctx: TenantContext, export_id: string): Promise<boolean> {
    const position = await lockPosition(tx, export_id);
    if (!position) return false;
    const { customer_email } = position;
    const source = (customer_email === null ? sources : customerSources)[position.source];
    if (source === undefined) {
      await emit(tx, ctx, event, export_id, { export_id, index: position.next_index, file: null, lines: [], is_last: true });
      await sql`delete from export_requests where export_id = ${export_id}`.execute(tx);
      return false;
    }
    const { lines, next } = await source.readPage(tx, ctx, position.after, customer_email ?? '');
    let index = position.next_index;
    for (const part of inEvents(lines.map((line) => JSON.stringify(line)))) {
      await emit(tx, ctx, event, export_id, { export_id, index, file: source.file, lines: part, is_last: false });
      index += 1;
    }
    await savePosition(tx, export_id, {
      customer_email,
      source: next === null ? position.source + 1 : position.source,
      after: next,
      next_index: index,
    });
    return true;
  }
  return ExportPartWorker;
}

/** Groups the lines so that an event has at most `partBytes`. A longer line is an event by itself; the broker accepts 1 MB. */
export function inEvents(lines: readonly string[]): string[][] {
  const events: string[][] = [];
  let bytes = Infinity;
  for (const line of lines) {
    // As part of an event, quotes and line breaks are escaped once more.
    const size = Buffer.byteLength(JSON.stringify(line)) + 1;
    bytes += size;
    if (bytes <= exportLimits.partBytes) events.at(-1)!.push(line);
    else {
      events.push([line]);
      bytes = size;
    }
  }
  return events;
}

/** Locks the row, so that two jobs for it do not send the same page. */
async function lockPosition(tx: AnyTx, export_id: string): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    select source, after, next_index, customer_email from export_requests where export_id = ${export_id} for update`.execute(tx);
  return rows[0];
}

async function savePosition(tx: AnyTx, export_id: string, { source, after, next_index }: Position): Promise<void> {
  await sql`
    update export_requests set source = ${source}, after = ${JSON.stringify(after)}::jsonb, next_index = ${next_index}
    where export_id = ${export_id}`.execute(tx);
}
