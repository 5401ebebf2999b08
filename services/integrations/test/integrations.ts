import { type Actor, type Context, type Operation, type Role, type TokenPermission } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Secrets, signContext } from '@tandem/platform';
import { ClickUpSandbox, type ClickUpSandboxOptions } from '@tandem/sandbox';
import { freshDatabase, onTestFileEnd, startForTest, testEnv } from '@tandem/testing';
import type { Insertable } from 'kysely';
import { tokenPurpose } from '../src/connection/connection';
import { integrationsService } from '../src/integrations.module';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, LinkRow, TicketCopy } from '../src/schema';
import { Hooks } from './hooks';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** `data` of a successful response, or the problem of a failed one. */
  data: T & { code?: string; title?: string; detail?: string; errors?: { path: string; message: string }[] };
  pagination: { page: number | null; limit: number; total: number; next_cursor: string | null };
}
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An organization with one user of each role. */
export interface TestOrganization {
  id: string;
  admin: string;
  manager: string;
  agent: string;
}
type Row<Table extends keyof IntegrationsSchema> = Partial<Insertable<IntegrationsSchema[Table]>>;

/** The integrations service with its own database and ClickUp sandbox, called as the gateway does. */
export class IntegrationsUnderTest {
  private constructor(
    readonly url: string,
    readonly database: { url: string; ownerUrl: string },
    readonly db: Database<IntegrationsSchema>,
    readonly env: Record<string, string | undefined>,
    readonly clickup: ClickUpSandbox,
    /** The running application, for access to its providers. */
    readonly app: { get<T>(part: new (...args: never[]) => T): T },
    readonly close: () => Promise<void>,
  ) {}

  /** Calls to the sandbox are not rate-limited unless `clickup` sets a limit; its webhooks reach the service as through the gateway. */
  static async start(
    overrides: Record<string, string | undefined> = {},
    clickup: ClickUpSandboxOptions = {},
  ): Promise<IntegrationsUnderTest> {
    const deliveries = { retryDelayMs: 20, timeoutMs: 2_000, ...clickup.deliveries };
    const sandbox = await ClickUpSandbox.start({ rateLimitPerMinute: Infinity, ...clickup, deliveries });
    onTestFileEnd(() => sandbox.close());
    const hooks = await Hooks.open();
    onTestFileEnd(hooks.close);
    const database = await freshDatabase('integrations');
    const env = await testEnv({
      INTEGRATIONS_DATABASE_URL: database.url,
      ...sandbox.serviceEnv,
      WEBHOOK_BASE_URL: hooks.url,
      TASK_TOOL_TIMEOUT_MS: '2000',
      GITHUB_API_URL: 'http://127.0.0.1:9',
      GITHUB_WEB_URL: 'http://127.0.0.1:9',
      ...overrides,
    });
    const service = await startForTest(integrationsService, env);
    hooks.target = { url: service.url, secret: env.CONTEXT_SECRET ?? '' };
    const db = new Database<IntegrationsSchema>({ url: database.url, applicationName: 'integrations-test', max: 4 });
    const close = async () => {
      await db.close();
      await service.close();
      await sandbox.close();
      await hooks.close();
      await database.drop();
    };
    return new IntegrationsUnderTest(service.url, database, db, env, sandbox, service.app, close);
  }

  get secrets(): Secrets {
    return new Secrets(this.env.ENCRYPTION_KEYS ?? '');
  }

  async call<T = Record<string, unknown>>(op: Operation, ctx: Context | undefined, input: Input = {}): Promise<Answer<T>> {
    const path = op.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = input.query ? `?${new URLSearchParams(input.query).toString()}` : '';
    const response = await fetch(`${this.url}${path}${query}`, {
      method: op.method,
      headers: {
        ...(ctx ? { 'x-tandem-context': signContext(ctx, this.env.CONTEXT_SECRET ?? '') } : {}),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...input.headers,
      },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    });
    const text = await response.text();
    const answer = (text ? JSON.parse(text) : {}) as { success?: boolean; data?: unknown; meta?: { pagination?: unknown } };
    const data = (answer.success ? answer.data : answer) as Answer<T>['data'];
    return { status: response.status, headers: response.headers, data, pagination: answer.meta?.pagination as Answer['pagination'] };
  }

  /** All events emitted so far, or those of one subject, oldest first. */
  events(subject?: string) {
    return this.#events(subject === undefined ? {} : { subject });
  }
  /** The events of one type, oldest first, without the first `skipped`. */
  eventsOfType(type: string, skipped: number) {
    return this.#events({ type }, skipped);
  }
  async #events(filter: { subject?: string; type?: string }, skipped = 0) {
    const rows = await this.db.asSystem('test', (tx) =>
      tx
        .selectFrom('outbox')
        .select(['type', 'organization_id', 'subject', 'sequence', 'envelope'])
        .where((eb) => eb.and(Object.entries(filter).map(([column, value]) => eb(column as keyof typeof filter, '=', value))))
        .orderBy('position')
        .offset(skipped)
        .execute(),
    );
    return rows.map(({ envelope, ...row }) => ({ ...row, actor: envelope.actor, data: envelope.data as Record<string, any> })); // oxlint-disable-line typescript/no-explicit-any
  }
  async eventTypes(subject: string): Promise<string[]> {
    return (await this.events(subject)).map(({ type }) => type);
  }

  anOrganization(): TestOrganization {
    return { id: newId(), admin: newId(), manager: newId(), agent: newId() };
  }

  /** A connection to the sandbox as admin@demo.test, with all existing tickets exported, unless `overrides` differ. */
  aConnection(
    organization: TestOrganization,
    { token = this.clickup.issueToken(), ...overrides }: Row<'connections'> & { token?: string } = {},
  ) {
    const { id: account, username } = this.clickup.user('admin@demo.test');
    const sealed_token = this.secrets.seal(tokenPurpose, token);
    const row = {
      id: newId(),
      organization_id: organization.id,
      provider: 'clickup',
      kind: 'oauth' as const,
      sealed_token,
      tickets_exported: true,
      account_id: String(account),
      account_name: username,
      connected_by: organization.admin,
      ...overrides,
    };
    return this.db.forTenant({ organization_id: organization.id }, (tx): Promise<ConnectionRow> =>
      tx.insertInto('connections').values(row).returningAll().executeTakeFirstOrThrow(),
    );
  }

  /** The fields of a new integration that select a list of the sandbox. The names are wrong, because the service must read them itself. */
  chosenList(name = 'Customer tickets') {
    const list = this.clickup.list(name);
    const space = this.clickup.space(list.space_id);
    const workspace = this.clickup.team(space.team_id);
    return {
      workspace_id: workspace.id,
      workspace_name: 'Typed',
      space_id: space.id as string | null,
      space_name: 'Typed' as string | null,
      list_id: list.id,
      list_name: 'Typed',
    };
  }

  /**
   * An integration of the sandbox's list named `list`, by default "Customer tickets", with statuses mapped by name. It has no webhook and
   * is not read until a test sets `next_check_at`; `overrides` take precedence.
   */
  anIntegration(connection: ConnectionRow, { list = 'Customer tickets', ...overrides }: Row<'integrations'> & { list?: string } = {}) {
    const location = this.#locationOf(list);
    const statuses = this.clickup.list(list).statuses.map(({ id, status, type, color }) => {
      return { id, name: status, category: type === 'custom' ? ('active' as const) : type, color };
    });
    const named = (name: string) => statuses.find((status) => status.name.toLowerCase() === name.toLowerCase())?.name ?? null;
    const status_mappings = {
      open: named('To Do') ?? named('Open'),
      in_progress: named('In Progress'),
      waiting_for_customer: named('Review'),
      resolved: named('Complete') ?? named('Closed'),
      closed: named('Closed'),
    };
    const row = {
      organization_id: connection.organization_id,
      id: newId(),
      connection_id: connection.id,
      provider: connection.provider,
      ...location,
      field_mappings: '{}',
      status_mappings: JSON.stringify(status_mappings),
      statuses: JSON.stringify(statuses),
      rules: JSON.stringify({ create: 'all', categories: [], tags: [], priorities: [] }),
      comment_sync: 'both' as const,
      conflict_rule: 'latest' as const,
      on_task_finished: 'tell_customer' as const,
      finished_reply: null,
      next_check_at: '2100-01-01T00:00:00.000Z',
      ...overrides,
    };
    return this.db.forTenant(connection, (tx): Promise<IntegrationRow> =>
      tx.insertInto('integrations').values(row).returningAll().executeTakeFirstOrThrow(),
    );
  }

  /** A ticket copy as ticket events would create it. */
  aTicketCopy(organization: TestOrganization, overrides: Row<'ticket_copies'> = {}): Promise<TicketCopy> {
    const at = new Date().toISOString();
    const row = {
      organization_id: organization.id,
      ticket_id: newId(),
      sequence: 1,
      ticket_number: 'ACM-0001',
      subject: 'The printer is on fire',
      description: 'It began at noon.',
      status: 'open' as const,
      priority: 'medium' as const,
      category: null,
      tags: [],
      customer_name: 'Carla',
      customer_email: 'carla@example.com',
      assignee_email: null,
      due_at: null,
      created_at: at,
      updated_at: at,
      ...overrides,
    };
    return this.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.insertInto('ticket_copies').values(row).returningAll().executeTakeFirstOrThrow(),
    );
  }

  /** A link to the task `task_id` with no work due. */
  aLink(integration: IntegrationRow, overrides: Row<'links'> = {}): Promise<LinkRow> {
    const { organization_id, id: integration_id, connection_id } = integration;
    const row = { organization_id, ticket_id: newId(), integration_id, connection_id, state: 'linked' as const, ...overrides };
    return this.db.forTenant({ organization_id }, (tx) => tx.insertInto('links').values(row).returningAll().executeTakeFirstOrThrow());
  }

  readonly findConnection = (organization: TestOrganization) =>
    this.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('connections').selectAll().executeTakeFirst());
  readonly findIntegrations = (organization: TestOrganization) =>
    this.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('integrations').selectAll().orderBy('created_at').execute(),
    );
  readonly findLink = (organization: TestOrganization, ticket_id: string) =>
    this.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('links').selectAll().where('ticket_id', '=', ticket_id).executeTakeFirst(),
    );
  /** Whether the copy of a ticket is as new as its last change. */
  readonly hasArrived = (organization: TestOrganization, ticket_id: string): Promise<boolean> =>
    this.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const changes = tx.selectFrom('outbox').where('subject', '=', ticket_id).where('type', 'in', ['ticket.created', 'ticket.updated']);
      const { last } = await changes.select(({ fn }) => fn.max('sequence').as('last')).executeTakeFirstOrThrow();
      const copy = await tx.selectFrom('ticket_copies').select('sequence').where('ticket_id', '=', ticket_id).executeTakeFirst();
      return Number(copy?.sequence ?? 0) >= Number(last);
    });
  readonly syncLog = (organization: TestOrganization) =>
    this.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('sync_log').selectAll().orderBy('id').execute());

  /** The columns of an integration that locate a list of the sandbox. */
  #locationOf(name: string) {
    const list = this.clickup.list(name);
    const space = this.clickup.space(list.space_id);
    const workspace = this.clickup.team(space.team_id);
    return {
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      space_id: space.id,
      space_name: space.name,
      list_id: list.id,
      list_name: list.name,
    };
  }
}

const asActor = (organization_id: string | null, actor: Actor): Context => ({ organization_id, actor, request_id: newId() });
export const asStaff = (organization: TestOrganization, role: Role = 'admin'): Context =>
  asActor(organization.id, { type: 'user', user_id: organization[role], role, session_id: newId() });
export const asToken = (organization: TestOrganization, ...permissions: TokenPermission[]): Context =>
  asActor(organization.id, { type: 'token', token_id: newId(), name: 'Importer', permissions, via: 'api' });
export const asCustomer = (organization_id: string | null): Context => asActor(organization_id, { type: 'customer' });
