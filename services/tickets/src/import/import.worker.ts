import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { pruneImports, runImport, systemContext, type Import, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { Secrets, type Logger, type ServiceConfig } from '@tandem/platform';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { readSource, Replaced, type ImportTools } from './import-check';
import { pruneImport, unusedSince } from './import-prune';
import { ImportFailed } from './import-reader';
import { createRecords } from './import-run';
import { announceImport, endOfImport, jobIdOf } from './import-state';
import { undoRecords } from './import-undo';
import {
  findActiveImportsAcrossOrganizations,
  findImport,
  findImportForUpdate,
  findPrunableAcrossOrganizations,
  saveImport,
  type StoredImport,
} from './import.store';

/** Reads, creates and deletes the records of imports, and deletes what imports no longer need. */
@Injectable()
export class ImportWorker implements OnModuleDestroy {
  readonly #stopping = new AbortController();

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** A stopped job continues in another process, or when this one starts again. */
  onModuleDestroy(): void {
    this.#stopping.abort(new Replaced());
  }

  @HandlesJob(runImport, { concurrency: 2 })
  async run(ctx: TenantContext, { import_id }: JobDataOf<typeof runImport>): Promise<void> {
    const row = await this.db.forTenant(ctx, (tx) => findImport(tx, { organization_id: ctx.organization_id, id: import_id }));
    if (!row) return;
    const cancelled = new AbortController();
    const done = new AbortController();
    void this.#watchCancel(row, cancelled, done.signal);
    const signal = AbortSignal.any([this.#stopping.signal, cancelled.signal]);
    const { db, storage, secrets } = this;
    const tools: ImportTools = { db, storage, secrets, allowPrivate: this.config.ALLOW_PRIVATE_OUTBOUND, signal };
    try {
      await this.#work(tools, ctx, row);
    } catch (error) {
      if (signal.aborted || error instanceof Replaced) return;
      if (!(error instanceof ImportFailed)) throw error;
      this.log.warn({ err: error, import_id, failure: error.failure }, 'An import failed');
      await this.#fail(ctx, row, error.failure);
    } finally {
      done.abort();
    }
  }

  async #work(tools: ImportTools, ctx: TenantContext, row: StoredImport): Promise<void> {
    if (row.state === 'importing') return createRecords(tools, ctx, row);
    if (row.state === 'undoing') return undoRecords(tools, ctx, row);
    if (row.state !== 'checking') return;
    // Loaded when they are needed, because html-to-text alone takes 40 ms of CPU time and 1 MB at a start.
    const { importReaders } = await import('./readers');
    const reader = importReaders[row.source];
    if (!reader) throw new ImportFailed('source.unreadable');
    await readSource(tools, row, reader);
  }

  /** Ends long reads of a source soon after the import was cancelled. */
  async #watchCancel(row: StoredImport, cancelled: AbortController, done: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await sleep(2_000, undefined, { signal: done, ref: false });
        const current = await this.db.forTenant(row, (tx) => findImport(tx, row)).catch(() => row);
        if (current?.state !== row.state || current.job_id !== row.job_id) return cancelled.abort(new Replaced());
      }
    } catch {
      // The job has ended.
    }
  }

  async #fail(ctx: TenantContext, { id, organization_id }: StoredImport, failure: NonNullable<Import['failure']>): Promise<void> {
    await this.db.forTenant(ctx, async (tx) => {
      const row = await findImportForUpdate(tx, { organization_id, id });
      if (row?.state !== 'checking' && row?.state !== 'importing') return;
      await saveImport(tx, row, { ...endOfImport('failed', row), failure });
      await announceImport(tx, ctx, row, 'failed');
    });
  }

  @Recovers(runImport)
  async findActive(): Promise<PendingJob<typeof runImport>[]> {
    const active = await this.db.asSystem('active imports of all organizations', findActiveImportsAcrossOrganizations);
    return active.map((row) => ({
      id: jobIdOf(row),
      ctx: systemContext(row.organization_id, `import-${row.id}`),
      data: { import_id: row.id },
    }));
  }

  @HandlesJob(pruneImports, { concurrency: 1 })
  async prune(): Promise<void> {
    for (let all = await this.#prunable(); all.length > 0; all = await this.#prunable())
      for (const row of all) await pruneImport(this.db, this.storage, row);
  }

  @Recovers(pruneImports)
  async findPrunable(): Promise<PendingJob<typeof pruneImports>[]> {
    const all = await this.#prunable();
    return all.length > 0 ? [{ id: 'prune', ctx: systemContext(null, 'prune-imports'), data: {} }] : [];
  }

  #prunable() {
    const now = new Date();
    return this.db.asSystem('imports with data that is no longer needed', (tx) =>
      findPrunableAcrossOrganizations(tx, unusedSince(now), now.toISOString()),
    );
  }
}
