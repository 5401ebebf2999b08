import type { TenantContext } from '@tandem/contracts';
import { hasOutboxCapacity } from '@tandem/messaging';
import { sql } from 'kysely';
import type { ImportPosition, TicketsTx } from '../schema';
import { importArticles } from './article-batch';
import { importFiles } from './file-batch';
import { addCounts, type Counts } from './import';
import type { ImportTools } from './import-check';
import { announceImport, endOfImport, progressOf } from './import-state';
import { findImportForUpdate, saveImport, type StoredImport } from './import.store';
import { forgetTakenNumbers, insertProblems, lastKeyAfter, nextRecords, saveOutcomes, storableProblems } from './record.store';
import { importSettings, settingKinds } from './settings-batch';
import { assignTicketIds } from './ticket-ids';
import { batchLimits, findPrefix, importMerges, importTickets, type BatchResult } from './ticket-batch';

/** In this order, because records refer to those before them. Files are last, because they can take long. */
const steps = ['numbers', ...settingKinds, 'ticket', 'merge', 'article', 'file'] as const;
type Step = (typeof steps)[number];
export const firstPosition: ImportPosition = { step: steps[0], after: null, next_number: 0 };

/** So that the events of people do not queue behind thousands of histories. */
const maxUnpublished = 20;
const rangeSize = 10_000;

/** Creates the records in batches. Each is one transaction that also advances the position, so nothing is created twice or left out. */
export async function createRecords(tools: ImportTools, ctx: TenantContext, started: StoredImport): Promise<void> {
  if (started.position?.step === 'numbers') await reserveNumbers(tools, started);
  let limit = batchLimits.tickets;
  while (!tools.signal.aborted && (await hasOutboxCapacity(tools.db, maxUnpublished))) {
    try {
      const next = await tools.db.forTenant(ctx, (tx) => createBatch(tx, ctx, started, limit));
      if (next === 'files') await importFiles(tools, started);
      if (next === 'files') await finish(tools, ctx, started);
      if (next !== 'more') return;
      limit = batchLimits.tickets;
    } catch (error) {
      if (!isRefusedByDatabase(error)) throw error;
      // One record is the reason: find it by creating them one by one.
      if (limit === 1) await leaveOut(tools, started);
      limit = 1;
    }
  }
  // The broker is down: the sweep continues the import.
}

/** A value that PostgreSQL refuses, in spite of all checks. Without this, one record could stop an import for ever. */
const isRefusedByDatabase = (error: unknown): boolean => /^2[23]/.test((error as { code?: string } | null)?.code ?? '');

async function createBatch(
  tx: TicketsTx,
  ctx: TenantContext,
  { organization_id, id }: StoredImport,
  limit: number,
): Promise<'more' | 'files' | 'stop'> {
  const row = await findImportForUpdate(tx, { organization_id, id });
  if (row?.state !== 'importing') return 'stop';
  const position = row.position!;
  const step = position.step as Step;
  if (step === 'file') return 'files';
  const counts: Counts = structuredClone(row.counts);
  const result = await createStep(tx, ctx, row, step, counts, limit);
  const next: ImportPosition = result
    ? {
        ...position,
        after: { created_at: result.last.created_at, position: result.last.position },
        next_number: position.next_number + result.numbers,
      }
    : { ...position, step: steps[steps.indexOf(step) + 1]!, after: null };
  await saveImport(tx, row, { position: next, counts, progress: progressOf(counts) });
  return 'more';
}

function createStep(tx: TicketsTx, ctx: TenantContext, row: StoredImport, step: Step, counts: Counts, limit: number): Promise<BatchResult> {
  if (step === 'ticket') return importTickets(tx, ctx, row, counts, limit);
  if (step === 'merge') return importMerges(tx, ctx, row);
  if (step === 'article') return importArticles(tx, row, counts, limit);
  if (step === 'numbers' || step === 'file') return Promise.resolve(undefined);
  return row.options.settings || step === 'article_category'
    ? importSettings(tx, ctx, row, step, counts, limit)
    : Promise.resolve(undefined);
}

/**
 * Moves the counter of the organization beyond all numbers that are kept, and reserves as many as the other tickets need, in two short
 * transactions: people who create tickets wait for the counter. Numbers that are reserved and not used stay free.
 */
async function reserveNumbers({ db }: ImportTools, row: StoredImport): Promise<void> {
  const { organization_id, id } = row;
  await assignTicketIds(db, row);
  if (row.options.keep_numbers) {
    const { rows } = await db.forTenant(row, (tx) => sql<{ last: number | null }>`select max(number) as last from import_records
      where import_id = ${id} and kind = 'ticket' and state is null`.execute(tx)); // prettier-ignore
    const last = rows[0]?.last ?? 0;
    await db.forTenant(row, (tx) => sql`update ticket_counters set last_number = greatest(last_number, ${last}),
      unused_numbers = unused_numbers + greatest(last_number, ${last}) - last_number where organization_id = ${organization_id}`.execute(tx)); // prettier-ignore
    const prefix = await db.forTenant(row, (tx) => findPrefix(tx, row));
    for (let after = ''; ;) {
      const next = await db.forTenant(row, (tx) => lastKeyAfter(tx, row, 'ticket', after, rangeSize));
      if (next === undefined) break;
      await db.forTenant(row, (tx) => forgetTakenNumbers(tx, row, prefix, { kind: 'ticket', after, last: next }));
      after = next;
    }
  }
  const { rows } = await db.forTenant(row, (tx) => sql<{ count: number }>`select count(*)::int as count from import_records
    where import_id = ${id} and kind = 'ticket' and state is null and (${!row.options.keep_numbers} or number is null)`.execute(tx)); // prettier-ignore
  await db.forTenant(row, async (tx) => {
    const current = await findImportForUpdate(tx, row);
    if (current?.state !== 'importing' || current.position?.step !== 'numbers') return;
    const { rows: reserved } = await sql<{ last_number: number }>`update ticket_counters set last_number = last_number + ${rows[0]!.count},
      unused_numbers = unused_numbers + ${rows[0]!.count} where organization_id = ${organization_id} returning last_number`.execute(tx);
    const next_number = reserved[0]!.last_number - rows[0]!.count + 1;
    await saveImport(tx, row, { position: { step: steps[1], after: null, next_number } });
  });
}

/** Leaves the next record out, because PostgreSQL does not accept it. */
async function leaveOut({ db }: ImportTools, { organization_id, id }: StoredImport): Promise<void> {
  await db.forTenant({ organization_id }, async (tx) => {
    const row = await findImportForUpdate(tx, { organization_id, id });
    const kind = row?.position?.step as Step;
    if (row?.state !== 'importing' || kind === 'numbers' || kind === 'merge' || kind === 'file') return;
    const [record] = await nextRecords(tx, row, kind, row.position!.after, 1);
    if (!record) return;
    await saveOutcomes(tx, row, kind, [{ key: record.key, state: 'failed', record_id: null }]);
    const counts = structuredClone(row.counts);
    addCounts(counts, kind, { failed: 1 });
    await addProblem(tx, row, record);
    await saveImport(tx, row, { counts, problems: { ...row.problems, 'value.invalid': (row.problems['value.invalid'] ?? 0) + 1 } });
  });
}

async function addProblem(
  tx: TicketsTx,
  row: StoredImport,
  {
    kind,
    key,
    position,
    place,
  }: { kind: Parameters<typeof saveOutcomes>[2]; key: string; position: number; place: { file: string; line: number | null } },
): Promise<void> {
  if (storableProblems(row.problems) === 0) return;
  await insertProblems(tx, row, [{ code: 'value.invalid', kind, key, position, field: null, value: null, ...place }]);
}

async function finish({ db, signal }: ImportTools, ctx: TenantContext, { organization_id, id }: StoredImport): Promise<void> {
  if (signal.aborted) return;
  await db.forTenant(ctx, async (tx) => {
    const row = await findImportForUpdate(tx, { organization_id, id });
    if (row?.state !== 'importing') return;
    await saveImport(tx, row, endOfImport('done', row));
    await announceImport(tx, ctx, row, 'finished');
  });
}
