import {
  announceAttachment,
  announcePublicAttachment,
  systemContext,
  type Actor,
  type Attachment,
  type Context,
  type Member,
  type Operation,
  type Organization,
  type Pagination,
  type Role,
  type Ticket,
  type TokenPermission,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { freshDatabase, organizationOf, startForTest, testEnv } from '@tandem/testing';
import { saveMember, saveOrganization } from '../src/projection/identity-projection.store';
import type { TicketsSchema } from '../src/schema';
import { writeTicket } from '../src/ticket/ticket.service';
import { ticketsService } from '../src/tickets.module';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The `data` of a success, or the problem details of a failure. */
  data: T & { code?: string; detail?: string; errors?: { path: string; message: string }[] };
  pagination: Pagination;
}
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An organization known to the service, with one member of each role. */
export interface TestOrganization {
  id: string;
  admin: string;
  manager: string;
  agent: string;
}

/** The tickets service with its own database, called as the gateway does. */
export class TicketsUnderTest {
  private constructor(
    readonly url: string,
    readonly database: { url: string; ownerUrl: string },
    readonly db: Database<TicketsSchema>,
    readonly secret: string,
    readonly linkSecret: string,
    /** Folder of the file bytes. */
    readonly filesDirectory: string,
    /** The running service, for access to its providers. */
    readonly app: { get<T>(part: new (...args: never[]) => T): T },
    readonly close: () => Promise<void>,
  ) {}

  static async start(overrides: Record<string, string> = {}): Promise<TicketsUnderTest> {
    const database = await freshDatabase('tickets');
    const env = await testEnv({ TICKETS_DATABASE_URL: database.url, ...overrides });
    const service = await startForTest(ticketsService, env);
    const db = new Database<TicketsSchema>({ url: database.url, applicationName: 'tickets-test', max: 4 });
    const close = async () => {
      await db.close();
      await service.close();
      await database.drop();
    };
    const { CONTEXT_SECRET = '', LINK_SECRET = '', ATTACHMENTS_DIR = '' } = env;
    return new TicketsUnderTest(service.url, database, db, CONTEXT_SECRET, LINK_SECRET, ATTACHMENTS_DIR, service.app, close);
  }

  async call<T = Record<string, unknown>>(op: Operation, ctx: Context | undefined, input: Input = {}): Promise<Answer<T>> {
    const path = op.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = input.query ? `?${new URLSearchParams(input.query).toString()}` : '';
    const response = await fetch(`${this.url}${path}${query}`, {
      method: op.method,
      headers: {
        ...(ctx ? { 'x-tandem-context': signContext(ctx, this.secret) } : {}),
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

  /** All events so far, or those that match, oldest first. */
  events(subject?: string) {
    return this.#events(subject === undefined ? {} : { subject });
  }
  eventsOf({ id: organization_id }: Pick<TestOrganization, 'id'>) {
    return this.#events({ organization_id });
  }
  async #events(filter: { subject?: string; organization_id?: string }) {
    const rows = await this.db.asSystem('test', (tx) =>
      tx
        .selectFrom('outbox')
        .select(['type', 'organization_id', 'subject', 'sequence', 'envelope'])
        .where((eb) => eb.and(Object.entries(filter).map(([column, value]) => eb(column as keyof typeof filter, '=', value))))
        .orderBy('position')
        .execute(),
    );
    return rows.map(({ envelope, ...row }) => ({ ...row, actor: envelope.actor, data: envelope.data as Record<string, any> })); // oxlint-disable-line typescript/no-explicit-any
  }
  async eventTypes(subject: string): Promise<string[]> {
    return (await this.events(subject)).map(({ type }) => type);
  }

  /** An organization with an admin, a manager and an agent, in the state that identity's events create here. */
  async anOrganization(overrides: Partial<Organization> = {}): Promise<TestOrganization> {
    const organization = { id: newId(), admin: newId(), manager: newId(), agent: newId() };
    await this.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await saveOrganization(tx, organizationOf(organization.id, overrides), 1);
      for (const role of ['admin', 'manager', 'agent'] as const)
        await saveMember(tx, aMember(organization.id, organization[role], { role }), 1);
    });
    return organization;
  }

  /** Changes settings of an organization, as identity's event does; settings that are not given return to the default. */
  #organizationSequence = 1;
  async changeSettings(organization: TestOrganization, settings: Partial<Organization>): Promise<void> {
    this.#organizationSequence += 1;
    await this.db.forTenant({ organization_id: organization.id }, (tx) =>
      saveOrganization(tx, organizationOf(organization.id, settings), this.#organizationSequence),
    );
  }

  /** An uploaded file that is not attached yet. */
  async aFile(ctx: Context, content: string = 'A picture of the fire', file_name = 'fire.txt'): Promise<Attachment> {
    const bytes = Buffer.from(content);
    const operation = ctx.actor.type === 'customer' ? announcePublicAttachment : announceAttachment;
    const { data } = await this.call<{ upload_url: string }>(operation, ctx, { body: { file_name, size: bytes.length } });
    const headers = { 'content-type': 'application/octet-stream', 'x-tandem-context': signContext(ctx, this.secret) };
    const response = await fetch(`${this.url}${data.upload_url.replace('/api/v1', '')}`, { method: 'PUT', headers, body: bytes });
    return ((await response.json()) as { data: Attachment }).data;
  }

  /** A ticket as `create` writes it. */
  async aTicket(
    organization: TestOrganization,
    overrides: Partial<Parameters<typeof writeTicket>[2]> & { created_at?: string } = {},
  ): Promise<Ticket> {
    const { created_at = new Date().toISOString(), ...input } = overrides;
    const ctx = systemContext(organization.id, 'test');
    const ticket = await this.db.forTenant(ctx, (tx) => writeTicket(tx, ctx, { ...ticketInput(), ...input }, created_at));
    if (!ticket) throw new Error('The organization is not known here');
    return ticket;
  }
}

export const ticketInput = () => ({
  subject: 'The printer is on fire',
  description: 'It began at noon.' as string | null,
  customer_email: 'carla@example.com',
  customer_name: 'Carla' as string | null,
  category: null as string | null,
  priority: 'medium' as const as Ticket['priority'],
  tags: [] as string[],
  attachment_ids: [] as string[],
});

export const aMember = (organization_id: string, user_id: string, overrides: Partial<Member> = {}): Member => ({
  user_id,
  organization_id,
  email: `${overrides.role ?? 'agent'}@acme.test`,
  first_name: 'Ada',
  last_name: overrides.role ?? 'Agent',
  role: 'agent',
  mfa_enabled: false,
  is_active: true,
  created_at: '2029-12-01T00:00:00.000Z',
  ...overrides,
});

const asActor = (organization_id: string | null, actor: Actor): Context => ({ organization_id, actor, request_id: 'test' });
export const asStaff = (organization: TestOrganization, role: Role = 'agent'): Context =>
  asActor(organization.id, { type: 'user', user_id: organization[role], role, session_id: newId() });
export const asToken = (organization: TestOrganization, ...permissions: TokenPermission[]): Context =>
  asActor(organization.id, { type: 'token', token_id: newId(), name: 'Importer', permissions, via: 'api' });
export const asCustomer = (organization_id: string | null): Context => asActor(organization_id, { type: 'customer' });
/** Signed in, but not a member of an organization yet. */
export const asUserWithoutOrganization = (): Context => asActor(null, { type: 'user', user_id: newId(), role: null, session_id: newId() });
