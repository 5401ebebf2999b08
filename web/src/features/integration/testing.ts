import type { Backfill, Integration, SyncLogEntry, SyncProblem, TaskList, TaskTool, TaskToolConnection } from '@tandem/contracts';
import { syncFields } from '@tandem/contracts/values';
import { http } from 'msw';
import { anId, organization } from '../../testing/backend';
import { answer, api, refuse, server } from '../../testing/server';

const at = '2026-11-20T10:05:00.000Z';

export const clickup: TaskTool = {
  key: 'clickup',
  name: 'ClickUp',
  capabilities: { statuses: 'named', fields: [...syncFields], comments: true, custom_fields: true },
  levels: [
    { key: 'workspace', label: 'Workspace' },
    { key: 'space', label: 'Space' },
    { key: 'list', label: 'List' },
  ],
  personal_token: { label: 'Personal API token', where: 'In ClickUp: Settings, Apps, API Token' },
  oauth_configured: true,
};
export const github: TaskTool = {
  key: 'github',
  name: 'GitHub',
  capabilities: { statuses: 'open_closed', fields: ['status', 'title', 'tags'], comments: true, custom_fields: false },
  levels: [
    { key: 'workspace', label: 'Owner' },
    { key: 'list', label: 'Repository' },
  ],
  personal_token: { label: 'Personal access token', where: 'In GitHub: Settings, Developer settings' },
  oauth_configured: false,
};

export const aConnection = (overrides: Partial<TaskToolConnection> = {}): TaskToolConnection => ({
  id: anId(),
  provider: 'clickup',
  state: 'connected',
  kind: 'oauth',
  account_name: 'Support desk',
  connected_at: at,
  broken_at: null,
  ...overrides,
});

const statuses: Integration['statuses'] = [
  { id: '1', name: 'to do', category: 'open', color: '#87909e' },
  { id: '2', name: 'in progress', category: 'active', color: '#5f55ee' },
  { id: '3', name: 'complete', category: 'done', color: null },
];
export const aTaskList = (overrides: Partial<TaskList> = {}): TaskList => ({
  id: 'l1',
  name: 'Requests',
  statuses,
  email_fields: [{ id: 'f1', name: 'Customer Email', type: 'email' }],
  proposed_statuses: { open: 'to do', in_progress: 'in progress', waiting_for_customer: null, resolved: 'complete', closed: null },
  proposed_email_field: 'f1',
  ...overrides,
});

export const anIntegration = (overrides: Partial<Integration> = {}): Integration => ({
  id: anId(),
  organization_id: organization.id,
  provider: 'clickup',
  statuses,
  workspace_id: 'w1',
  workspace_name: 'Northwind',
  space_id: 's1',
  space_name: 'Support',
  list_id: 'l1',
  list_name: 'Requests',
  field_mappings: {},
  rules: { create: 'all', categories: [], tags: [], priorities: [] },
  finished_reply: null,
  status_mappings: { open: 'to do', in_progress: 'in progress', waiting_for_customer: null, resolved: 'complete', closed: null },
  comment_sync: 'both',
  conflict_rule: 'latest',
  on_task_finished: 'tell_customer',
  closed_meanings: {},
  is_active: true,
  pause_reason: null,
  health: 'ok',
  health_detail: null,
  last_sync_at: null,
  created_at: at,
  linked_count: 1_284,
  pending_count: 3,
  failed_count: 0,
  differing_count: 0,
  health_problems: overrides.health_detail ? [overrides.health_detail] : [],
  ...overrides,
});

export const aBackfill = (overrides: Partial<Backfill> = {}): Backfill => ({
  state: 'not_begun',
  matching: 0,
  is_complete: true,
  total: 0,
  created: 0,
  failed: 0,
  started_at: null,
  finished_at: null,
  ...overrides,
});

export const aLogEntry = (overrides: Partial<SyncLogEntry> = {}): SyncLogEntry => ({
  id: anId(),
  ticket_id: anId(),
  ticket_number: 'NC-0042',
  level: 'info',
  direction: 'to_task',
  field: 'status',
  message: 'Status sent',
  created_at: at,
  ...overrides,
});

export const aSyncProblem = (overrides: Partial<SyncProblem> = {}): SyncProblem => ({
  ticket_id: anId(),
  ticket_number: 'NC-0042',
  subject: 'Grinder is set too fine',
  kind: 'failed',
  fields: [],
  reason: 'ClickUp refused it',
  task_url: 'https://app.clickup.example/t/86abc',
  synced_at: at,
  ...overrides,
});

/** Fake state of the server and the task tool for tests, in addition to the `backend`. */
export class TaskToolServer {
  tools: TaskTool[] = [clickup, github];
  connections: TaskToolConnection[] = [];
  integrations: Integration[] = [];
  backfill = aBackfill();
  log: SyncLogEntry[] = [];
  problems: SyncProblem[] = [];
  retries = 0;
  /** The tool's choices: spaces by workspace, lists by space or workspace. */
  workspaces = [
    { id: 'w1', name: 'Northwind' },
    { id: 'w2', name: 'Private' },
  ];
  spaces: Record<string, { id: string; name: string }[]> = {
    w1: [
      { id: 's1', name: 'Support' },
      { id: 's2', name: 'Roastery' },
    ],
    w2: [],
  };
  lists: Record<string, { id: string; name: string }[]> = {
    s1: [
      { id: 'l1', name: 'Requests' },
      { id: 'l2', name: 'Folder / Bugs' },
    ],
    s2: [{ id: 'l3', name: 'Beans' }],
    w1: [{ id: 'r1', name: 'website' }],
  };
  list = aTaskList();
  /** Bodies of the write requests, in order. */
  bodies: unknown[] = [];

  /** Registers handlers for this feature until the test ends. */
  start(): this {
    server.use(...this.aboutConnection(), ...this.aboutChoices(), ...this.aboutIntegrations());
    return this;
  }
  connect(overrides: Partial<TaskToolConnection> = {}): this {
    this.connections.push(aConnection(overrides));
    return this;
  }

  private async read<T>(request: Request): Promise<T> {
    const body = (await request.json()) as T;
    this.bodies.push(body);
    return body;
  }

  private aboutConnection() {
    const connected = async ({ request }: { request: Request }) => {
      const { provider } = await this.read<{ provider: string }>(request);
      const connection = aConnection({ provider });
      this.connections = [...this.connections.filter((each) => each.provider !== provider), connection];
      return answer(connection, { status: 201 });
    };
    return [
      http.get(api('/task-tool/providers'), () => answer(this.tools)),
      http.get(api('/task-tool/connection'), () => answer(this.connections)),
      http.post(api('/task-tool/connection'), connected),
      http.post(api('/task-tool/connection/callback'), connected),
      http.post(api('/task-tool/connection/authorize'), () => answer({ url: 'https://app.clickup.example/api?state=once' })),
      http.delete(api('/task-tool/connection/:provider'), ({ params }) => {
        this.connections = this.connections.filter(({ provider }) => provider !== params.provider);
        this.integrations = this.integrations.filter(({ provider }) => provider !== params.provider);
        return answer({});
      }),
    ];
  }

  private aboutChoices() {
    const asked = (request: Request, name: string) => new URL(request.url).searchParams.get(name) ?? '';
    return [
      http.get(api('/task-tool/workspaces'), () => answer(this.workspaces)),
      http.get(api('/task-tool/spaces'), ({ request }) => answer(this.spaces[asked(request, 'workspace_id')] ?? [])),
      http.get(api('/task-tool/lists'), ({ request }) =>
        answer(this.lists[asked(request, 'space_id') || asked(request, 'workspace_id')] ?? []),
      ),
      http.get(api('/task-tool/lists/:id'), ({ params }) => answer({ ...this.list, id: String(params.id) })),
    ];
  }

  private aboutIntegrations() {
    const find = (id: unknown) => this.integrations.find((each) => each.id === id);
    return [
      http.get(api('/task-tool/integrations'), () => answer(this.integrations)),
      http.post(api('/task-tool/integrations'), async ({ request }) => {
        const integration = anIntegration(await this.read<Partial<Integration>>(request));
        this.integrations = [integration, ...this.integrations];
        return answer(integration, { status: 201 });
      }),
      http.put(api('/task-tool/integrations/order'), async ({ request }) => {
        const { ids } = await this.read<{ ids: string[] }>(request);
        this.integrations = ids.flatMap((id) => find(id) ?? []);
        return answer(this.integrations);
      }),
      http.patch(api('/task-tool/integrations/:id'), async ({ params, request }) => {
        const found = find(params.id);
        if (!found) return refuse('integration.not_found');
        const changes = await this.read<Partial<Integration>>(request);
        if (changes.is_active !== undefined) found.health = changes.is_active ? 'ok' : 'paused';
        return answer(Object.assign(found, changes));
      }),
      http.delete(api('/task-tool/integrations/:id'), ({ params }) => {
        this.integrations = this.integrations.filter(({ id }) => id !== params.id);
        return answer({});
      }),
      http.get(api('/task-tool/integrations/:id/backfill'), () => answer(this.backfill)),
      http.post(api('/task-tool/integrations/:id/backfill'), () => {
        this.backfill = aBackfill({ state: 'running', total: this.backfill.matching, started_at: at });
        return answer(this.backfill, { status: 202 });
      }),
      http.get(api('/task-tool/integrations/:id/problems'), ({ request }) => this.problemPage(new URL(request.url).searchParams)),
      http.post(api('/task-tool/integrations/:id/retry'), () => {
        const retried = this.problems.length;
        this.retries += 1;
        this.problems = [];
        for (const each of this.integrations)
          Object.assign(each, { failed_count: 0, differing_count: 0, health: 'ok', health_problems: [] });
        return answer({ retried }, { status: 202 });
      }),
      http.get(api('/task-tool/integrations/:id/sync-log'), ({ request }) => this.logPage(new URL(request.url).searchParams)),
    ];
  }

  private logPage(query: URLSearchParams) {
    return this.page(
      query,
      this.log.filter(({ level }) => !query.get('level') || level === query.get('level')),
    );
  }

  private problemPage(query: URLSearchParams) {
    return this.page(
      query,
      this.problems.filter(({ kind }) => !query.get('kind') || kind === query.get('kind')),
    );
  }

  private page(query: URLSearchParams, found: unknown[]) {
    const limit = Number(query.get('limit'));
    const from = Number(query.get('cursor') ?? 0);
    const next_cursor = from + limit < found.length ? String(from + limit) : null;
    return answer(found.slice(from, from + limit), { pagination: { page: null, limit, total: found.length, next_cursor } });
  }
}
