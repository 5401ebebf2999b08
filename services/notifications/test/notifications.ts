import {
  defaultLanguages,
  Member,
  type Context,
  type DataOf,
  type Envelope,
  type EventType,
  type NotificationKind,
  type Operation,
  type Role,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Nats } from '@tandem/messaging';
import { signContext, type RunningService } from '@tandem/platform';
import { eventually, freshDatabase, staff, startForTest, testEnv, ticketOf, type Env } from '@tandem/testing';
import pg from 'pg';
import { saveMember } from '../src/member/member.store';
import { notificationsService } from '../src/notifications.module';
import type { NotificationsSchema } from '../src/schema';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  /** `data` of a success, the problem document of a failure. */
  data: T & { code?: string; errors?: { path: string }[] };
  next_cursor: string | null;
}

/** An organization known to notifications, with members of each role. */
export interface TestOrganization {
  id: string;
  admin: string;
  manager: string;
  agent: string;
  other: string;
}

export const addressOf = (user_id: string) => `${user_id}@example.com`;

export const memberOf = (organization_id: string, user_id: string, overrides: Partial<Member> = {}): Member => ({
  ...Member.parse({
    user_id,
    organization_id,
    email: addressOf(user_id),
    first_name: 'Ada',
    last_name: 'Okafor',
    role: 'agent',
    is_active: true,
    mfa_enabled: false,
    created_at: '2026-11-20T10:00:00.000Z',
  }),
  ...overrides,
});

/** The notifications service with its own servers. Tests call it as the gateway does and emit events as their owners do. */
export class NotificationsUnderTest {
  private constructor(
    readonly service: RunningService,
    readonly db: Database<NotificationsSchema>,
    readonly env: Env,
    private readonly ownerUrl: string,
  ) {}

  static async start(overrides: Env = {}): Promise<NotificationsUnderTest> {
    const { url, ownerUrl } = await freshDatabase('notifications');
    const env = await testEnv({ NOTIFICATIONS_DATABASE_URL: url, SWEEP_MS: '300', ...overrides });
    const service = await startForTest(notificationsService, env);
    return new NotificationsUnderTest(service, service.app.get<Database<NotificationsSchema>>(Database), env, ownerUrl);
  }

  /** Executes a statement that only the owner of the tables may, such as `analyze`, which autovacuum does at some time. */
  async asOwner(statement: string): Promise<void> {
    const owner = new pg.Client({ connectionString: this.ownerUrl });
    await owner.connect();
    try {
      await owner.query(statement);
    } finally {
      await owner.end();
    }
  }

  async anOrganization(): Promise<TestOrganization> {
    const organization = { id: newId(), admin: newId(), manager: newId(), agent: newId(), other: newId() };
    const roles = { admin: 'admin', manager: 'manager', agent: 'agent', other: 'agent' } as const;
    await this.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await tx
        .insertInto('organizations')
        .values({
          organization_id: organization.id,
          name: 'Northwind',
          subdomain: null,
          languages: JSON.stringify(defaultLanguages),
          sequence: 1,
        })
        .execute();
      for (const who of ['admin', 'manager', 'agent', 'other'] as const)
        await saveMember(tx, memberOf(organization.id, organization[who], { role: roles[who], last_name: who }), 1);
    });
    return organization;
  }

  as = (organization: TestOrganization, who: 'admin' | 'manager' | 'agent' | 'other'): Context & { organization_id: string } =>
    staff((who === 'other' ? 'agent' : who) satisfies Role, { organization_id: organization.id, user_id: organization[who] });

  ticket = (organization: TestOrganization, overrides: Partial<Ticket> = {}): Ticket =>
    ticketOf(organization.id, { ticket_number: 'NC-0042', subject: 'Wrong grind', ...overrides });

  /** Emits an event through the outbox of the service under test. */
  async announce<E extends EventType>(ctx: Context, event: E, subject: string, data: DataOf<E>): Promise<void> {
    await this.db.forTenant(ctx, (tx) => emit(tx, ctx, event, subject, data));
  }

  /**
   * Waits until every event, including the service's own, is published and handled by all its consumers; used to assert that something did
   * not happen. (Tickets are handled independently, so the effect of a later ticket's event proves nothing about an earlier one.)
   */
  async allIsConsumed(): Promise<void> {
    const { jsm } = await this.service.app.get<Nats>(Nats).connected();
    const announced = async () => {
      const rows = await this.db.asSystem('test', (tx) => tx.selectFrom('outbox').select('published_at').execute());
      return [rows.length, rows.filter(({ published_at }) => published_at === null).length];
    };
    await eventually(async () => {
      // An event that is published after the consumers were listed is missing from the list: read the outbox before and after.
      const before = await announced();
      const busy: string[] = [];
      for await (const { name, num_pending, num_ack_pending } of jsm.consumers.list(this.env.NATS_STREAM!))
        if (num_pending + num_ack_pending > 0) busy.push(name);
      expect([before[1], busy, await announced()]).toEqual([0, [], before]);
    });
  }

  /** The recipients and the kinds of their notices: `user kind`, sorted. */
  async sentNotices(organization: TestOrganization): Promise<string[]> {
    const names = new Map(Object.entries(organization).map(([who, id]) => [id as string, who]));
    const rows = await this.notices(organization);
    return rows.map(({ user_id, kind }) => `${names.get(user_id) ?? user_id} ${kind}`).sort();
  }

  notices(organization: Pick<TestOrganization, 'id'>) {
    return this.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('notifications').selectAll().execute());
  }

  emails(organization: Pick<TestOrganization, 'id'>) {
    return this.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('emails').selectAll().execute());
  }

  /** Inserts a notice as the consumers do, without an email. */
  async aNotice(
    organization: TestOrganization,
    user_id: string,
    overrides: { created_at?: string; kind?: NotificationKind; ticket_id?: string; read_at?: string } = {},
  ): Promise<string> {
    const id = newId();
    await this.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('notifications')
        .values({
          organization_id: organization.id,
          id,
          user_id,
          kind: 'assigned',
          ticket_id: newId(),
          ticket_number: 'NC-0042',
          subject: 'Wrong grind',
          actor_name: null,
          event_id: newId(),
          created_at: new Date().toISOString(),
          read_at: null,
          ...overrides,
        })
        .execute(),
    );
    return id;
  }

  async call<T = Record<string, unknown>>(
    op: Operation,
    ctx: Context,
    input: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer<T>> {
    const query = input.query ? `?${new URLSearchParams(input.query).toString()}` : '';
    const path = op.path.replace(/:(\w+)/g, (_, name: string) => input.params?.[name] ?? '');
    const response = await fetch(`${this.service.url}${path}${query}`, {
      method: op.method,
      headers: {
        'x-tandem-context': signContext(ctx, this.env.CONTEXT_SECRET ?? ''),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    });
    const answer = (await response.json()) as { success?: boolean; data?: unknown; meta?: { pagination?: { next_cursor: string | null } } };
    const data = (answer.success ? answer.data : answer) as Answer<T>['data'];
    return { status: response.status, data, next_cursor: answer.meta?.pagination?.next_cursor ?? null };
  }
}

export const aToken = (organization: TestOrganization): Context => ({
  organization_id: organization.id,
  actor: { type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read', 'tickets:write'], via: 'api' },
  request_id: newId(),
});

/** An event as a consumer receives it. */
export const envelopeOf = (ctx: Context, overrides: Partial<Envelope> = {}): Envelope =>
  ({ id: newId(), time: new Date().toISOString(), actor: ctx.actor, requestid: ctx.request_id, ...overrides }) as Envelope;
