import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  cancelImport,
  checkImport,
  createImport,
  csvColumns,
  importLimits,
  isApiSource,
  listImportProblems,
  listImports,
  previewImport,
  readImport,
  runImport,
  startImport,
  undoImport,
  updateImport,
  type CommentRecord,
  type CsvKind,
  type Import,
  type ImportPreview,
  type ImportProblem,
  type InputOf,
  type Page,
  type TenantContext,
  type TicketRecord,
} from '@tandem/contracts';
import { customFieldKey } from '@tandem/contracts/values';
import { Database, lockName, newId } from '@tandem/db';
import { Handles, Jobs, storeResponse } from '@tandem/messaging';
import { safeAddress, Secrets, UnsafeAddress, type ServiceConfig } from '@tandem/platform';
import { userIdOf } from '../caller';
import { refuseInDemo } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { nameOfImport, tokenPurpose } from './import';
import { firstPosition } from './import-run';
import { announceImport, endOfImport, jobIdOf } from './import-state';
import { firstUndoPosition } from './import-undo';
import {
  countUnstarted,
  findImport,
  findImportFiles,
  findImportForUpdate,
  findImports,
  findProblems,
  hasActiveImport,
  importView,
  insertImport,
  saveImport,
  saveImportFile,
  type ImportChange,
  type StoredImport,
  type StoredImportFile,
} from './import.store';
import { countChildren, findRecords, nextRecords, summarizeChildren } from './record.store';

const maxUnstarted = 20;
const previewLimits = { tickets: 20, comments: 10 };

/** Imports, except for their files (import-file.service.ts) and the work itself (import.worker.ts). */
@Controller()
export class ImportService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: ServiceConfig,
  ) {}

  @Handles(listImports)
  list(ctx: TenantContext, { query }: InputOf<typeof listImports>): Promise<Page<Import>> {
    return this.db.readTenant(ctx, async (tx) => {
      const page = await findImports(tx, ctx.organization_id, query);
      const files = await findImportFiles(tx, page.items.map(({ id }) => id)); // prettier-ignore
      return { ...page, items: page.items.map((row) => importView(row, files)) };
    });
  }

  @Handles(createImport)
  create(ctx: TenantContext, { body }: InputOf<typeof createImport>): Promise<Import> {
    const { address, token } = this.#access(body);
    return this.db.forTenant(ctx, async (tx) => {
      await refuseInDemo(tx, ctx, 'A live demo cannot import data. Start your own free trial to move in.');
      await lockName(tx, `imports ${ctx.organization_id}`);
      if ((await countUnstarted(tx, ctx.organization_id)) >= maxUnstarted) throw new AppError('import.too_many');
      const row = newImport(ctx, body.source, address, token === null ? null : this.secrets.seal(tokenPurpose, token));
      await insertImport(tx, row);
      await announceImport(tx, ctx, row, 'created');
      return storeResponse(tx, importView(row, []));
    });
  }

  /** An API needs an address that we may call, and a token; files need neither. */
  #access({ source, address, token }: InputOf<typeof createImport>['body']): { address: string | null; token: string | null } {
    if (!isApiSource(source)) return { address: null, token: null };
    if (address === undefined) throw invalid('address', 'Enter the address of your account');
    if (token === undefined) throw invalid('token', 'Enter the token');
    const isOpen = this.config.ALLOW_PRIVATE_OUTBOUND;
    try {
      const { origin, pathname } = safeAddress(address, { allowHttp: isOpen, allowPrivate: isOpen });
      return { address: `${origin}${pathname}`.replace(/\/+$/, ''), token };
    } catch (error) {
      if (error instanceof UnsafeAddress) throw invalid('address', error.message);
      throw error;
    }
  }

  @Handles(readImport)
  read(ctx: TenantContext, { params }: InputOf<typeof readImport>): Promise<Import> {
    return this.db.readTenant(ctx, async (tx) => {
      const [row, files] = await Promise.all([getImport(tx, ctx, params.id), findImportFiles(tx, [params.id])]);
      return importView(row, files);
    });
  }

  @Handles(updateImport)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateImport>): Promise<Import> {
    return this.#change(ctx, params.id, ['preparing', 'ready'], async (tx, row) => {
      await checkMembers(tx, (body.teammates ?? []).flatMap(({ user_id }) => user_id ?? [])); // prettier-ignore
      for (const change of body.mappings ?? []) await saveMapping(tx, row, change);
      const needsCheck = row.state === 'ready' && !!(body.mappings ?? body.statuses ?? body.priorities);
      return { ...chosen(row, body), ...(needsCheck ? { state: 'preparing' as const } : {}) };
    });
  }

  @Handles(checkImport)
  check(ctx: TenantContext, { params }: InputOf<typeof checkImport>): Promise<Import> {
    return this.#change(ctx, params.id, ['preparing', 'ready'], async (tx, row) => {
      const files = (await findImportFiles(tx, [row.id])).filter(({ is_uploaded }) => is_uploaded);
      if (!isApiSource(row.source) && files.length === 0) throw new AppError('import.no_file');
      if (row.source === 'csv' && !files.every(isMapped)) throw new AppError('import.mapping');
      return this.#startJob(tx, ctx, row, { state: 'checking', counts: {}, problems: {}, has_records: true });
    });
  }

  @Handles(startImport)
  start(ctx: TenantContext, { params }: InputOf<typeof startImport>): Promise<Import> {
    return this.#change(ctx, params.id, ['ready'], async (tx, row) => {
      const change = await this.#startJob(tx, ctx, row, { state: 'importing', position: firstPosition });
      await announceImport(tx, ctx, row, 'started');
      return change;
    });
  }

  @Handles(cancelImport)
  cancel(ctx: TenantContext, { params }: InputOf<typeof cancelImport>): Promise<Import> {
    return this.#change(ctx, params.id, ['preparing', 'checking', 'ready', 'importing'], async (tx, row) => {
      await announceImport(tx, ctx, row, 'cancelled');
      return endOfImport('cancelled', row);
    });
  }

  @Handles(undoImport)
  undo(ctx: TenantContext, { params }: InputOf<typeof undoImport>): Promise<Import> {
    return this.#change(ctx, params.id, ['done', 'cancelled', 'failed'], async (tx, row) => {
      if (row.undo_until === null) throw new AppError('import.state');
      if (row.undo_until < new Date().toISOString()) throw new AppError('import.undo_expired');
      const change = await this.#startJob(tx, ctx, row, { state: 'undoing', position: firstUndoPosition, kept_count: 0 });
      await announceImport(tx, ctx, row, 'undo_started');
      return { ...change, finished_at: null };
    });
  }

  @Handles(previewImport)
  preview(ctx: TenantContext, { params }: InputOf<typeof previewImport>): Promise<ImportPreview[]> {
    return this.db.forTenant(ctx, async (tx) => {
      const row = await getImport(tx, ctx, params.id);
      if (row.state !== 'ready') throw new AppError('import.state');
      const tickets = await nextRecords(tx, row, 'ticket', null, previewLimits.tickets);
      const keys = tickets.map(({ key }) => key);
      const totals = await countChildren(tx, row, keys, ['comment']);
      const children = Map.groupBy(await summarizeChildren(tx, row, 'comment', keys), ({ parent }) => parent);
      return Promise.all(
        tickets.map(async ({ key, data }) => {
          const shown = (children.get(key) ?? []).slice(0, previewLimits.comments).map((child) => child.key);
          const comments = (await findRecords(tx, row, 'comment', shown)).toSorted((a, b) => shown.indexOf(a.key) - shown.indexOf(b.key));
          return {
            ticket: data as unknown as TicketRecord,
            comments: comments.map((comment) => comment.data as unknown as CommentRecord),
            comment_count: totals.get(key) ?? 0,
          };
        }),
      );
    });
  }

  @Handles(listImportProblems)
  problems(ctx: TenantContext, { params, query }: InputOf<typeof listImportProblems>): Promise<Page<ImportProblem>> {
    return this.db.readTenant(ctx, async (tx) => {
      const row = await getImport(tx, ctx, params.id);
      const page = await findProblems(tx, row, query);
      return {
        ...page,
        items: page.items.map(({ code, kind, key, file, line, field, value }) => ({ code, kind, key, file, line, field, value })),
      };
    });
  }

  /** The row comes first: a sweep adds a job that Redis has lost. An organization has one active import. */
  async #startJob(tx: TicketsTx, ctx: TenantContext, row: StoredImport, change: ImportChange): Promise<ImportChange> {
    if (await hasActiveImport(tx, ctx.organization_id)) throw new AppError('import.active');
    const job_id = newId();
    this.jobs.add(tx, ctx, runImport, { import_id: row.id }, { id: jobIdOf({ id: row.id, job_id }) });
    return { ...change, job_id, progress: null };
  }

  /** Saves what `work` returns for a locked import in one of these states. */
  #change(
    ctx: TenantContext,
    id: string,
    states: readonly Import['state'][],
    work: (tx: TicketsTx, row: StoredImport) => Promise<ImportChange>,
  ): Promise<Import> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockName(tx, `imports ${ctx.organization_id}`);
      const row = await findImportForUpdate(tx, { organization_id: ctx.organization_id, id });
      if (!row) throw new AppError('import.not_found');
      if (!states.includes(row.state)) throw new AppError('import.state');
      await saveImport(tx, row, await work(tx, row));
      return importView(await getImport(tx, ctx, id), await findImportFiles(tx, [id]));
    });
  }
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });

export async function getImport(tx: TicketsTx, ctx: TenantContext, id: string): Promise<StoredImport> {
  const row = await findImport(tx, { organization_id: ctx.organization_id, id });
  if (!row) throw new AppError('import.not_found');
  return row;
}

function newImport(ctx: TenantContext, source: Import['source'], address: string | null, sealed_token: string | null): StoredImport {
  const now = new Date().toISOString();
  const empty = {
    progress: null,
    job_id: null,
    check_id: null,
    position: null,
    failure: null,
    finished_at: null,
    undo_until: null,
    kept_count: null,
  };
  return {
    organization_id: ctx.organization_id,
    id: newId(),
    source,
    state: 'preparing',
    name: nameOfImport(source, address),
    address,
    sealed_token,
    options: { keep_numbers: true, settings: true, files: true },
    choices: { teammates: {}, statuses: {}, priorities: {} },
    teammates: [],
    statuses: [],
    priorities: [],
    counts: {},
    problems: {},
    ...empty,
    has_files: false,
    has_records: false,
    created_by: userIdOf(ctx),
    created_at: now,
    updated_at: now,
  };
}

async function checkMembers(tx: TicketsTx, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return;
  const wanted = [...new Set(user_ids)];
  const members = await tx.selectFrom('members').select('user_id').where('user_id', 'in', wanted).execute();
  if (members.length < wanted.length) throw new AppError('assignee.not_a_member');
}

type Mapping = NonNullable<InputOf<typeof updateImport>['body']['mappings']>[number];

async function saveMapping(tx: TicketsTx, row: StoredImport, { file_id, kind, mapping }: Mapping): Promise<void> {
  const file = (await findImportFiles(tx, [row.id])).find(({ id }) => id === file_id);
  if (row.source !== 'csv' || !file) throw new AppError('import.mapping');
  const isKnown = ([ours, theirs]: [string, string | null]) =>
    isOurColumn(kind, ours) && (theirs === null || (file.columns ?? []).includes(theirs));
  if (!Object.entries(mapping).every(isKnown)) throw new AppError('import.mapping');
  await saveImportFile(tx, file_id, { kind, mapping });
}

function isOurColumn(kind: CsvKind, name: string): boolean {
  const { required, optional } = csvColumns[kind];
  if (([...required, ...optional] as readonly string[]).includes(name)) return true;
  return kind === 'tickets' && name.startsWith('custom_fields.') && customFieldKey.test(name.slice('custom_fields.'.length));
}

/** Whether all required columns of a CSV file are mapped. */
const isMapped = ({ kind, mapping }: StoredImportFile): boolean =>
  kind !== null && mapping !== null && csvColumns[kind].required.every((column) => !!mapping[column]);

/** The options, and the choices of the admin, also in the lists that the page shows. */
function chosen(row: StoredImport, body: InputOf<typeof updateImport>['body']): ImportChange {
  const teammates = Object.fromEntries((body.teammates ?? []).map(({ key, user_id }) => [key, user_id]));
  const statuses = Object.fromEntries((body.statuses ?? []).map(({ value, to }) => [value, to]));
  const priorities = Object.fromEntries((body.priorities ?? []).map(({ value, to }) => [value, to]));
  const options = Object.fromEntries(Object.entries(body.options ?? {}).filter(([, value]) => value !== undefined));
  const { choices } = row;
  return {
    options: { ...row.options, ...options },
    choices: limited({
      teammates: { ...choices.teammates, ...teammates },
      statuses: { ...choices.statuses, ...statuses },
      priorities: { ...choices.priorities, ...priorities },
    }),
    teammates: row.teammates.map((each) => (each.key in teammates ? { ...each, user_id: teammates[each.key]! } : each)),
    statuses: row.statuses.map((each) => ({ ...each, to: statuses[each.value] ?? each.to })),
    priorities: row.priorities.map((each) => ({ ...each, to: priorities[each.value] ?? each.to })),
  };
}

/** Many requests with different keys must not let the row grow. */
function limited(choices: StoredImport['choices']): StoredImport['choices'] {
  const latest = <T>(all: Record<string, T>, max: number) => Object.fromEntries(Object.entries(all).slice(-max));
  return {
    teammates: latest(choices.teammates, 2 * importLimits.teammates),
    statuses: latest(choices.statuses, 2 * importLimits.values),
    priorities: latest(choices.priorities, 2 * importLimits.values),
  };
}
