import { systemContext, type Context, type Envelope, type Operation, type Role, type TenantContext, type Ticket } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import type { Jobs } from '@tandem/messaging';
import { signContext, type RunningService } from '@tandem/platform';
import { freshDatabase, organizationOf, startForTest, testEnv, type FreshDatabase } from '@tandem/testing';
import { analyticsService } from '../src/analytics.module';
import { RollUpWorker } from '../src/day-roll-ups/roll-up.worker';
import { IdentityProjection } from '../src/projection/identity-projection';
import type { AnalyticsSchema, AnalyticsTx } from '../src/schema';
import { RebuildConsumer } from '../src/rebuild/rebuild.consumer';
import { SurveyConsumer } from '../src/survey/survey.consumer';
import { TicketFacts } from '../src/ticket-facts/ticket-facts.consumer';
import type { History, HistoryEvent } from './random-history';

const facts = new TicketFacts();
const surveys = new SurveyConsumer();
const identity = new IdentityProjection();
/** Tests run jobs when they need them. */
export const noJobs = { add: () => undefined } as unknown as Jobs;
const rebuilds = new RebuildConsumer(noJobs);

export const envelope = (sequence: number, time = new Date().toISOString()) => ({ sequence, time }) as Envelope;

/** The service with its own database. It only handles calls: consumers and jobs run when a test calls them. */
export class AnalyticsUnderTest {
  readonly rollUps: RollUpWorker;

  private constructor(
    readonly database: FreshDatabase,
    readonly service: RunningService,
    readonly db: Database<AnalyticsSchema>,
    private readonly secret: string,
    readonly encryptionKeys: string,
  ) {
    this.rollUps = new RollUpWorker(db);
  }

  static async start(run = 'http'): Promise<AnalyticsUnderTest> {
    const database = await freshDatabase('analytics');
    const env = await testEnv({ ANALYTICS_DATABASE_URL: database.url, RUN: run });
    const service = await startForTest(analyticsService, env);
    const db = new Database<AnalyticsSchema>({ url: database.url });
    return new AnalyticsUnderTest(database, service, db, env['CONTEXT_SECRET'] ?? '', env['ENCRYPTION_KEYS'] ?? '');
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.service.close();
    await this.database.drop();
  }

  inTenant<T>(organization_id: string, work: (tx: AnalyticsTx, ctx: TenantContext) => Promise<T>): Promise<T> {
    const ctx = systemContext(organization_id, 'test');
    return this.db.forTenant(ctx, (tx) => work(tx, ctx));
  }

  /** Handles an event like a delivery, except for the inbox. */
  deliver(organization_id: string, event: HistoryEvent): Promise<void> {
    return this.inTenant(organization_id, (tx, ctx) => {
      if (event.kind === 'rated') {
        const { ticket_id, rating, feedback, at: created_at } = event;
        const survey = { ticket_id, rating, feedback, created_at, customer_email: 'carla@example.com' };
        return surveys.onSubmitted(ctx, { survey }, tx);
      }
      if (event.kind === 'surveyed') return surveys.onSent(ctx, { ticket_id: event.ticket_id, sent_at: event.at }, tx);
      const { ticket, sequence } = event;
      if (event.kind === 'updated')
        return facts.onUpdated([{ ctx, data: { ticket, changes: event.changes }, envelope: envelope(sequence) }], tx);
      if (event.kind === 'created') return facts.onCreated([{ ctx, data: { ticket }, envelope: envelope(sequence) }], tx);
      if (event.kind === 'comment') return facts.onComments([{ ctx, data: { ticket } as never, envelope: envelope(sequence) }], tx);
      if (event.kind === 'breached') return facts.onBreach(ctx, { ticket } as never, tx, envelope(sequence));
      return facts.onEscalation(ctx, { ticket }, tx, envelope(sequence));
    });
  }

  create(ticket: Ticket): Promise<void> {
    return this.deliver(ticket.organization_id, { kind: 'created', ticket, sequence: 1 });
  }

  /** The event that tickets sends for a rebuild. */
  deliverHistory(...histories: History[]): Promise<void> {
    return this.inTenant(histories[0]!.ticket.organization_id, (tx, ctx) => rebuilds.onHistories(ctx, { histories }, tx));
  }

  setTimeZone(organization_id: string, time_zone: string, sequence = 1): Promise<void> {
    const organization = organizationOf(organization_id, { time_zone });
    return this.inTenant(organization_id, (tx, ctx) =>
      identity.onUpdated(ctx, { organization }, tx, envelope(sequence, organization.created_at)),
    );
  }

  addMember(
    organization_id: string,
    changes: { user_id?: string; role?: Role; is_active?: boolean; sequence?: number } = {},
  ): Promise<string> {
    const { user_id = newId(), role = 'manager', is_active = true, sequence = 1 } = changes;
    const member = {
      user_id,
      organization_id,
      email: `${user_id.slice(-6)}@example.com`,
      first_name: 'Grace',
      last_name: null,
      role,
      is_active,
      mfa_enabled: false,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    return this.inTenant(organization_id, (tx, ctx) => identity.onMemberUpdated(ctx, { member }, tx, envelope(sequence))).then(
      () => user_id,
    );
  }

  async rollUp(organization_id: string): Promise<void> {
    // A roll-up leaves days that were marked in the same millisecond to the next one.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await this.rollUps.rollUp(systemContext(organization_id, 'test'));
  }

  dirtyDays(organization_id: string): Promise<string[]> {
    return this.inTenant(organization_id, async (tx) =>
      (await tx.selectFrom('dirty_days').select('day').orderBy('day').execute()).map(({ day }) => day),
    );
  }

  async call<T>(
    ctx: Context | undefined,
    operation: Pick<Operation, 'method' | 'path'>,
    options: { query?: Record<string, string>; path?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; data: T; problem: { code: string; errors?: { path: string }[] }; headers: Headers }> {
    const headers: Record<string, string> = { ...options.headers };
    if (ctx) headers['x-tandem-context'] = signContext(ctx, this.secret);
    if (options.body !== undefined) headers['content-type'] = 'application/json';
    const path = options.path ?? operation.path;
    const response = await fetch(`${this.service.url}${path}?${new URLSearchParams(options.query ?? {}).toString()}`, {
      method: operation.method,
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const body = (text ? JSON.parse(text) : {}) as { data: T; code: string };
    return { status: response.status, data: body.data, problem: body, headers: response.headers };
  }
}

export const userOf = (organization_id: string | null, role: Role = 'manager', user_id = newId()): Context => ({
  organization_id,
  actor: { type: 'user', user_id, role, session_id: newId() },
  request_id: 'test',
});
