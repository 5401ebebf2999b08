import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { importLimits, importProblems, type Import, type ImportProblemCode, type RecordKind } from '@tandem/contracts';
import type { CustomFieldRules } from '@tandem/contracts/values';
import { newId, type Database } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import { storageKey } from '../attachment/file.controller';
import { findActiveFields } from '../custom-field/custom-field.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { addCounts, tokenPurpose, type Counts } from './import';
import { ImportFailed, type ImportInput, type ImportReader, type SourceItem, type SourcePlace } from './import-reader';
import { findImportFiles, findImportForUpdate, saveImport, type StoredImport } from './import.store';
import { checkRecord } from './record-check';
import {
  analyzeRecords,
  correctTimes,
  deleteStaged,
  failOrphans,
  failTooMany,
  forgetCategories,
  forgetTakenNumbers,
  forgetWrongMerges,
  insertProblems,
  insertRecords,
  lastKeyAfter,
  storableProblems,
  type KeyRange,
  type NewProblem,
  type StagedRecord,
} from './record.store';
import { findPrefix } from './ticket-batch';

export interface ImportTools {
  db: Database<TicketsSchema>;
  storage: Storage;
  secrets: Secrets;
  allowPrivate: boolean;
  signal: AbortSignal;
}

const deleteBatch = 10_000;
/** Staged records per statement, and the approximate size of their texts. */
const flushAt = { records: 500, characters: 2_000_000 };
/** Of a record as JSON; all texts that a person can write are shorter. */
const maxRecordLength = 1_000_000;
const rangeSize = 10_000;
/** Comments and timeline entries of one ticket, which are created in one transaction. */
const maxPerTicket = 10_000;
const progressMs = 1_000;

/** The import was cancelled, or another run of the job replaced this one. */
export class Replaced extends Error {}

/** Copies uploaded files to a temporary folder, because archives are read from their end, and calls `work` with the input of a reader. */
export async function withInput<T>(
  { db, storage, secrets, allowPrivate, signal }: ImportTools,
  row: StoredImport,
  onProgress: ImportInput['onProgress'],
  work: (input: ImportInput) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-import-'));
  try {
    const { files, fields } = await db.forTenant(row, async (tx) => ({
      files: (await findImportFiles(tx, [row.id])).filter(({ is_uploaded }) => is_uploaded),
      fields: await findActiveFields(tx),
    }));
    for (const { id } of files) {
      const bytes = await storage.get(storageKey(row.organization_id, id), signal);
      if (!bytes) throw new ImportFailed('source.changed');
      await pipeline(bytes, createWriteStream(join(folder, id), { mode: 0o600 }), { signal });
    }
    const rules = { allowHttp: allowPrivate, allowPrivate };
    const hasApi = row.address !== null && row.sealed_token !== null;
    return await work({
      files: files.map(({ id, file_name, kind, mapping }) => ({ path: join(folder, id), file_name, kind, mapping })),
      api: hasApi ? { address: row.address!, token: secrets.open(tokenPurpose, row.sealed_token!), rules } : null,
      statuses: new Map(Object.entries(row.choices.statuses)),
      priorities: new Map(Object.entries(row.choices.priorities)),
      custom_fields: new Map(fields.map(({ key, type }) => [key, type])),
      signal,
      onProgress,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the source into the staging table. Interrupted, it starts again from the beginning. Throws `Replaced` and `ImportFailed`. */
export async function readSource(tools: ImportTools, row: StoredImport, reader: ImportReader): Promise<void> {
  const check_id = newId();
  await tools.db.forTenant(row, (tx) => saveImport(tx, row, { check_id, counts: {}, problems: {}, progress: null }));
  for (const table of ['import_records', 'import_problems'] as const)
    while ((await tools.db.forTenant(row, (tx) => deleteStaged(tx, row, table, deleteBatch))) === deleteBatch);
  const fields = await tools.db.forTenant(row, findActiveFields);
  const staging = new Staging(tools.db, row, check_id, new Map(fields.map((field) => [field.key, field])));
  await withInput(
    tools,
    row,
    (done, total) => staging.progress(done, total),
    async (input) => {
      for await (const item of reader.read(input)) await staging.add(item);
    },
  );
  await staging.finish();
}

type Values = Map<string, { tickets: number; to: string }>;

/** Collects what a reader yields, and writes it in large statements. Memory does not depend on the size of the source. */
class Staging {
  readonly #counts: Counts = {};
  readonly #problemCounts: Partial<Record<ImportProblemCode, number>> = {};
  readonly #values = { status: new Map() as Values, priority: new Map() as Values };
  readonly #teammates = new Map<string, { name: string | null; email: string | null }>();
  readonly #uses = new Map<string, number>();
  readonly #now = new Date().toISOString();
  #records: StagedRecord[] = [];
  #problems: NewProblem[] = [];
  #characters = 0;
  #position = 0;
  #progress: Import['progress'] = null;
  #flushedAt = Date.now();

  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly row: StoredImport,
    private readonly check_id: string,
    private readonly fields: Map<string, CustomFieldRules>,
  ) {}

  progress(done: number, total: number | null): void {
    this.#progress = { done, total };
  }

  async add(item: SourceItem): Promise<void> {
    if (item.type === 'value') return this.#addValue(item);
    this.#position += 1;
    if (this.#position > importLimits.records) throw new ImportFailed('source.too_many_records');
    if (item.type === 'problem') this.#addProblemOfReader(item);
    else this.#addRecord(item);
    const isFull = this.#records.length >= flushAt.records || this.#characters >= flushAt.characters;
    if (isFull || this.#problems.length >= flushAt.records || Date.now() - this.#flushedAt > progressMs) await this.#flush();
  }

  #addValue({ field, value, suggestion }: Extract<SourceItem, { type: 'value' }>): void {
    const values: Values = this.#values[field];
    const known = values.get(value);
    if (known) known.tickets += 1;
    else if (values.size < importLimits.values) values.set(value.slice(0, 200), { tickets: 1, to: suggestion });
  }

  /** An error of a reader is a record that it has found and cannot read. */
  #addProblemOfReader({ problem, at }: Extract<SourceItem, { type: 'problem' }>): void {
    this.#addProblem({ ...problem, position: this.#position, ...at });
    const isLeftOut = importProblems[problem.code].severity === 'error';
    if (isLeftOut && problem.kind) addCounts(this.#counts, problem.kind, { found: 1, failed: 1 });
  }

  #addRecord({ record, at }: Extract<SourceItem, { type: 'record' }>): void {
    const { kind } = record;
    const { staged, problems } = checkRecord(record, { now: this.#now, fields: this.fields });
    addCounts(this.#counts, kind, { found: 1, failed: staged ? 0 : 1 });
    const key = staged?.key ?? keyIn(record.data);
    for (const problem of problems) this.#addProblem({ ...problem, kind, key, position: this.#position, ...at });
    if (!staged) return;
    const text = JSON.stringify(staged.data);
    if (text.length > maxRecordLength)
      return this.#fail('record.limit', { kind, key: staged.key, position: this.#position, place: placeOf(at) });
    this.#learn(kind, staged.data);
    this.#characters += text.length;
    this.#records.push({ ...staged, kind, position: this.#position, place: placeOf(at) });
  }

  /** Teammates with the number of their uses, and the custom fields that the import brings along. */
  #learn(kind: RecordKind, data: object): void {
    const { key, email, first_name, last_name, assignee, author, type, options } = data as { [name: string]: unknown };
    if (kind === 'teammate' && this.#teammates.size < importLimits.teammates) {
      const name = [first_name, last_name].filter(Boolean).join(' ').slice(0, 200) || null;
      this.#teammates.set(key as string, { name, email: email as string | null });
    }
    if (kind === 'custom_field' && this.row.options.settings && !this.fields.has(key as string))
      this.fields.set(key as string, { type, options } as CustomFieldRules);
    const used = kind === 'ticket' ? assignee : kind === 'comment' ? (author as { key?: string } | undefined)?.key : undefined;
    if (typeof used === 'string' && (this.#uses.has(used) || this.#uses.size < 4 * importLimits.teammates))
      this.#uses.set(used, (this.#uses.get(used) ?? 0) + 1);
  }

  #addProblem(problem: NewProblem): void {
    this.#characters += 200;
    if (storableProblems(this.#problemCounts) > 0) this.#problems.push(problem);
    this.#problemCounts[problem.code] = (this.#problemCounts[problem.code] ?? 0) + 1;
  }

  /** Every write checks that the import has not been cancelled, nor read again by another run. */
  async #write<T>(work: (tx: TicketsTx) => Promise<T>): Promise<T> {
    return this.db.forTenant(this.row, async (tx) => {
      const current = await findImportForUpdate(tx, this.row);
      if (current?.state !== 'checking' || current.check_id !== this.check_id) throw new Replaced();
      return work(tx);
    });
  }

  async #flush(): Promise<void> {
    const records = this.#records;
    this.#records = [];
    this.#characters = 0;
    this.#flushedAt = Date.now();
    await this.#write(async (tx) => {
      const repeated = await insertRecords(tx, this.row, records);
      for (const { kind, key, position, place } of repeated) this.#fail('id.repeated', { kind, key, position, place });
      await this.#writeProblems(tx);
      await saveImport(tx, this.row, { progress: this.#progress, counts: this.#counts, problems: this.#problemCounts });
    });
  }

  async #writeProblems(tx: TicketsTx): Promise<void> {
    const problems = this.#problems;
    this.#problems = [];
    await insertProblems(tx, this.row, problems);
  }

  #fail(code: ImportProblemCode, found: Pick<StagedRecord, 'kind' | 'key' | 'position' | 'place'>): void {
    addCounts(this.#counts, found.kind, { failed: 1 });
    this.#warn(code, found, null);
  }

  #warn(
    code: ImportProblemCode,
    { kind, key, position, place }: Pick<StagedRecord, 'kind' | 'key' | 'position' | 'place'>,
    field: string | null,
  ): void {
    this.#addProblem({ code, kind, key, position, field, value: null, ...place });
  }

  /** Checks what needs all records, and makes the import ready. */
  async finish(): Promise<void> {
    await this.#flush();
    if (this.#position === 0) throw new ImportFailed('source.empty');
    await this.db.forTenant(this.row, analyzeRecords);
    await this.#failTooMany();
    for (const kind of ['comment', 'history', 'article_version', 'file'] as const)
      await this.#each(kind, async (tx, range) => {
        for (const orphan of await failOrphans(tx, this.row, range)) this.#fail('parent.missing', orphan);
        if (kind === 'comment' || kind === 'history')
          for (const early of await correctTimes(tx, this.row, range)) this.#warn('time.order', early, 'created_at');
      });
    await this.#each('article', async (tx, range) => {
      for (const article of await forgetCategories(tx, this.row, range)) this.#warn('value.left_out', article, 'category');
    });
    await this.#write(async (tx) => {
      for (const ticket of await forgetWrongMerges(tx, this.row)) this.#warn('value.left_out', ticket, 'merged_into');
    });
    if (this.row.options.keep_numbers) await this.#checkNumbers();
    await this.#write(async (tx) => {
      await this.#writeProblems(tx);
      const found = { teammates: await this.#matchTeammates(tx), statuses: this.#mapped('status'), priorities: this.#mapped('priority') };
      const counted = { counts: this.#counts, problems: this.#problemCounts };
      await saveImport(tx, this.row, {
        ...(found as Pick<StoredImport, 'teammates' | 'statuses' | 'priorities'>),
        ...counted,
        state: 'ready',
        progress: null,
        check_id: null,
      });
    });
  }

  async #checkNumbers(): Promise<void> {
    const prefix = await this.db.forTenant(this.row, (tx) => findPrefix(tx, this.row));
    await this.#each('ticket', async (tx, range) => {
      for (const ticket of await forgetTakenNumbers(tx, this.row, prefix, range)) this.#warn('number.taken', ticket, 'number');
    });
  }

  async #failTooMany(): Promise<void> {
    for (const kind of ['comment', 'history'] as const)
      await this.#write(async (tx) => {
        for (const record of await failTooMany(tx, this.row, kind, maxPerTicket)) this.#fail('record.limit', record);
        await this.#writeProblems(tx);
      });
  }

  /** Calls `work` for ranges of keys, so that no statement exceeds its time limit. */
  async #each(kind: RecordKind, work: (tx: TicketsTx, range: KeyRange) => Promise<void>): Promise<void> {
    for (let after = ''; ;) {
      const next = await this.#write(async (tx) => {
        const last = await lastKeyAfter(tx, this.row, kind, after, rangeSize);
        if (last !== undefined) await work(tx, { kind, after, last });
        await this.#writeProblems(tx);
        return last;
      });
      if (next === undefined) return;
      after = next;
    }
  }

  /** The most frequent ones first. A choice of the admin stays; otherwise the address decides. */
  async #matchTeammates(tx: TicketsTx): Promise<Import['teammates']> {
    const members = await tx.selectFrom('members').select(['user_id', 'email']).execute();
    const byEmail = new Map(members.map(({ user_id, email }) => [email.toLowerCase(), user_id]));
    const { teammates: chosen } = this.row.choices;
    const usesOf = (key: string) => this.#uses.get(key) ?? 0;
    return [...this.#teammates]
      .map(([key, { name, email }]) => ({
        key,
        name,
        email,
        user_id: key in chosen ? chosen[key]! : (byEmail.get(email?.trim().toLowerCase() ?? '') ?? null),
      }))
      .sort((a, b) => usesOf(b.key) - usesOf(a.key));
  }

  #mapped(field: 'status' | 'priority'): { value: string; tickets: number; to: string }[] {
    return [...this.#values[field]].map(([value, { tickets, to }]) => ({ value, tickets, to })).sort((a, b) => b.tickets - a.tickets);
  }
}

const keyIn = (data: object): string | null =>
  'key' in data && typeof data.key === 'string' ? data.key.replace(/\0/g, '').toWellFormed() : null;
const placeOf = ({ file, line }: SourcePlace) => ({ file: file.slice(0, 500), line });
