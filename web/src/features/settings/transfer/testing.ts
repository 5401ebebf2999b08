import type { Export, Import, ImportFile, ImportPreview, ImportProblem } from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend } from '../../../testing/backend';
import { answer, api, refuse, signedIn } from '../../../testing/responses';
import { withChanges, type ImportChanges } from './imports.api';

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

export const anImportFile = (overrides: Partial<ImportFile> = {}): ImportFile => ({
  id: anId(),
  file_name: 'tickets.csv',
  size: 2_048,
  kind: 'tickets',
  is_uploaded: true,
  columns: ['Title', 'Requester', 'State', 'Internal code'],
  sample: [
    ['Wrong grind', 'jonas@example.com', 'New', 'x1'],
    ['Late delivery', 'vera@example.com', 'Waiting', ''],
  ],
  mapping: { subject: 'Title', customer_email: 'Requester', status: 'State' },
  ...overrides,
});

export const anImport = (overrides: Partial<Import> = {}): Import => ({
  id: anId(),
  source: 'csv',
  state: 'preparing',
  name: '',
  address: null,
  files: [],
  options: { keep_numbers: true, settings: true, files: true },
  teammates: [],
  statuses: [],
  priorities: [],
  counts: {},
  problems: {},
  progress: null,
  failure: null,
  created_by: backend.me.user_id,
  created_at: inHours(-1),
  updated_at: inHours(-1),
  finished_at: null,
  undo_until: null,
  kept_count: null,
  ...overrides,
});

/** A checked import. */
export const aReadyImport = (overrides: Partial<Import> = {}): Import =>
  anImport({
    state: 'ready',
    name: 'tickets.csv',
    files: [anImportFile()],
    counts: {
      ticket: { found: 1_240, created: 0, existing: 0, failed: 2 },
      comment: { found: 3_100, created: 0, existing: 0, failed: 0 },
    },
    problems: { 'email.invalid': 2, 'value.replaced': 5 },
    teammates: [
      { key: 'marek', name: 'Marek Lindqvist', email: 'marek@northwind.example', user_id: backend.members[1]?.user_id ?? null },
      { key: 'zoe', name: 'Zoe Former', email: null, user_id: null },
    ],
    statuses: [{ value: 'Waiting', tickets: 12, to: 'open' }],
    ...overrides,
  });

export const aProblem = (overrides: Partial<ImportProblem> = {}): ImportProblem => ({
  code: 'email.invalid',
  kind: 'ticket',
  key: '17',
  file: 'tickets.csv',
  line: 18,
  field: 'customer_email',
  value: '=HYPERLINK("x")',
  ...overrides,
});

export const aPreview = (): ImportPreview => ({
  ticket: {
    key: '1',
    number: '41',
    subject: 'Wrong grind',
    description: 'All twelve bags came ground.',
    status: 'open',
    priority: 'high',
    category: null,
    tags: ['coffee'],
    channel: null,
    customer: { email: 'jonas@example.com', name: 'Jonas Weber' },
    cc: [],
    language: null,
    assignee: 'zoe',
    custom_fields: {},
    created_at: '2024-03-01T10:00:00.000Z',
    updated_at: '2024-03-01T10:00:00.000Z',
    resolved_at: null,
    url: null,
  },
  comments: [
    {
      key: 'c1',
      ticket: '1',
      author: { kind: 'teammate', key: 'zoe' },
      is_internal: true,
      content: 'Ask the **roastery**.',
      created_at: '2024-03-01T11:00:00.000Z',
    },
  ],
  comment_count: 1,
});

export const anExport = (overrides: Partial<Export> = {}): Export => ({
  id: anId(),
  state: 'done',
  is_of_customer: false,
  customer_email: null,
  has_files: true,
  size: 5_242_880,
  progress: null,
  created_by: backend.me.user_id,
  created_at: inHours(-2),
  finished_at: inHours(-1),
  expires_at: inHours(6 * 24 + 1),
  ...overrides,
});

const page = <T>(items: T[]) => answer(items, { pagination: { page: null, limit: 25, total: items.length, next_cursor: null } });
const json = async <T>(request: Request) => (await request.json()) as T;

/** The fake server's imports and exports. Tests fill it and pass `handlers()` to `server.use`. */
export class FakeTransfer {
  imports: Import[] = [];
  problems: ImportProblem[] = [];
  exports: Export[] = [];
  /** The requests that changed something. */
  sent: { call: string; body: unknown }[] = [];
  /** The names of uploaded files. */
  uploaded: string[] = [];

  private note = (call: string, body: unknown = null) => void this.sent.push({ call, body });
  private change(id: unknown, changes: Partial<Import> | ((current: Import) => Import)) {
    const current = this.imports.find((each) => each.id === id);
    if (!current) return refuse('import.not_found');
    const changed = typeof changes === 'function' ? changes(current) : { ...current, ...changes };
    this.imports = this.imports.map((each) => (each === current ? changed : each));
    return answer(changed);
  }
  /** What a worker on the server would do. */
  work = (id: string, changes: Partial<Import>) => void this.change(id, changes);

  private fileHandlers() {
    return [
      http.post(api('/imports/:id/files'), async ({ params, request }) => {
        const { file_name, size } = await json<{ file_name: string; size: number }>(request);
        const file = anImportFile({ file_name, size, is_uploaded: false, kind: null, columns: null, sample: null, mapping: null });
        this.change(params.id, (current) => ({ ...current, files: [...current.files, file] }));
        return answer({ file_id: file.id, upload_url: `/api/v1/import-files/${file.id}`, expires_at: inHours(1) }, { status: 201 });
      }),
      http.put(api('/import-files/:token'), ({ params }) => {
        const owner = this.imports.find(({ files }) => files.some(({ id }) => id === params.token))!;
        const file = owner.files.find(({ id }) => id === params.token)!;
        this.uploaded.push(file.file_name);
        const head = owner.source === 'csv' ? anImportFile({ id: file.id, file_name: file.file_name, size: file.size }) : { ...file };
        const stored = { ...head, is_uploaded: true };
        this.change(owner.id, { name: file.file_name, files: owner.files.map((each) => (each.id === file.id ? stored : each)) });
        return answer({});
      }),
      http.delete(api('/imports/:id/files/:file_id'), ({ params }) => {
        this.note('remove file');
        this.change(params.id, (current) => ({ ...current, files: current.files.filter(({ id }) => id !== params.file_id) }));
        return answer({});
      }),
    ];
  }

  private importHandlers() {
    return [
      http.get(api('/imports'), () => signedIn(() => page(this.imports))),
      http.post(api('/imports'), async ({ request }) => {
        const body = await json<Pick<Import, 'source' | 'address'>>(request);
        this.note('create', body);
        const created = anImport({ source: body.source, address: body.address ?? null });
        this.imports = [created, ...this.imports];
        return answer(created, { status: 201 });
      }),
      http.get(api('/imports/:id'), ({ params }) => this.change(params.id, {})),
      http.patch(api('/imports/:id'), async ({ params, request }) => {
        const changes = await json<ImportChanges>(request);
        this.note('update', changes);
        // As the server does: values and columns are read by a check.
        const needsCheck = Boolean(changes.mappings ?? changes.statuses ?? changes.priorities);
        return this.change(params.id, (current) => ({
          ...withChanges(current, changes),
          ...(needsCheck ? { state: 'preparing' as const } : {}),
        }));
      }),
      http.post(api('/imports/:id/check'), ({ params }) =>
        this.change(params.id, { state: 'checking', progress: { done: 0, total: 100 } }),
      ),
      http.post(api('/imports/:id/start'), ({ params }) =>
        this.change(params.id, { state: 'importing', progress: { done: 620, total: 1_240 } }),
      ),
      http.post(api('/imports/:id/cancel'), ({ params }) => this.change(params.id, { state: 'cancelled' })),
      http.post(api('/imports/:id/undo'), ({ params }) => this.change(params.id, { state: 'undoing', progress: { done: 0, total: 10 } })),
      http.get(api('/imports/:id/preview'), () => answer([aPreview()])),
      http.get(api('/imports/:id/problems'), ({ request }) => {
        const { searchParams } = new URL(request.url);
        const code = searchParams.get('code');
        const from = Number(searchParams.get('cursor') ?? 0);
        const found = this.problems.filter((problem) => !code || problem.code === code);
        const next_cursor = from + 1 < found.length ? String(from + 1) : null;
        return answer(found.slice(from, from + 1), { pagination: { page: null, limit: 1, total: found.length, next_cursor } });
      }),
    ];
  }

  private exportHandlers() {
    return [
      http.get(api('/exports'), () => signedIn(() => page(this.exports))),
      http.post(api('/exports'), async ({ request }) => {
        const { has_files } = await json<{ has_files: boolean }>(request);
        this.note('create export', { has_files });
        if (this.exports.some(({ state }) => state === 'running')) return refuse('export.running');
        const created = anExport({
          state: 'running',
          has_files,
          size: null,
          finished_at: null,
          expires_at: null,
          progress: { done: 50, total: 200 },
        });
        this.exports = [created, ...this.exports];
        return answer(created, { status: 201 });
      }),
      http.post(api('/exports/:id/link'), ({ params }) =>
        answer({ url: `/api/v1/export-files/${String(params.id)}`, expires_at: inHours(1) }),
      ),
      http.delete(api('/exports/:id'), ({ params }) => {
        this.note('delete export');
        this.exports = this.exports.filter(({ id }) => id !== params.id);
        return answer({});
      }),
    ];
  }

  handlers = () => [...this.fileHandlers(), ...this.importHandlers(), ...this.exportHandlers()];
}
