import { systemContext, type Actor, type Context, type Operation, type Session } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Secrets, signContext } from '@tandem/platform';
import { freshDatabase, startForTest, testEnv } from '@tandem/testing';
import { hashPassword } from '../src/account/password';
import { identityService } from '../src/identity.module';
import type { IdentityTables } from '../src/schema';

export const password = 'x7Kq!m2v-quiet';
export const client = { ip: '203.0.113.7', user_agent: 'Test Browser/1.0' };

const weighed = [
  'users',
  'confirmation_tokens',
  'password_resets',
  'email_changes',
  'sessions',
  'refresh_tokens',
  'organizations',
  'members',
  'invitations',
  'outbox',
  'mfa',
  'mfa_recovery_codes',
  'mfa_challenges',
] as const;

export interface Answer {
  status: number;
  /** `data` of a success, or the problem of a failure. */
  data: Record<string, unknown> & { code?: string; errors?: { path: string; message: string }[] };
}
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string;
}
export interface Person {
  user_id: string;
  email: string;
}

/** The identity service with its own database, called as the gateway calls it. */
export class IdentityUnderTest {
  private constructor(
    readonly url: string,
    readonly database: { url: string; ownerUrl: string },
    readonly db: Database<IdentityTables>,
    private readonly env: Record<string, string | undefined>,
    private readonly password_hash: string,
  ) {}

  static async start(overrides: Record<string, string> = {}): Promise<IdentityUnderTest> {
    const database = await freshDatabase('identity');
    const env = await testEnv({ IDENTITY_DATABASE_URL: database.url, ...overrides });
    const service = await startForTest(identityService, env);
    const db = new Database<IdentityTables>({ url: database.url, applicationName: 'identity-test' });
    return new IdentityUnderTest(service.url, database, db, env, await hashPassword(password));
  }

  /** Closes this connection only; the service and the database are removed automatically. */
  close(): Promise<void> {
    return this.db.close();
  }

  get secrets(): Secrets {
    return new Secrets(this.env.ENCRYPTION_KEYS ?? '');
  }

  async call(op: Operation, ctx: Context | undefined, input: Input = {}): Promise<Answer> {
    const response = await this.send(op, ctx, input);
    const answer = (await response.json()) as { success: boolean; data?: Answer['data'] };
    return { status: response.status, data: answer.success ? (answer.data as Answer['data']) : answer };
  }

  /** Returns the response itself, for tests of its headers. */
  send(op: Operation, ctx: Context | undefined, input: Input = {}): Promise<Response> {
    const path = op.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = input.query ? `?${new URLSearchParams(input.query).toString()}` : '';
    const body = input.raw ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    return fetch(`${this.url}${path}${query}`, {
      method: op.method,
      headers: {
        ...(ctx ? { 'x-tandem-context': signContext(ctx, this.env.CONTEXT_SECRET ?? '') } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
    });
  }

  /** All emitted events, oldest first. */
  async events(
    type?: string,
  ): Promise<{ type: string; organization_id: string | null; subject: string; sequence: number; data: Record<string, unknown> }[]> {
    const rows = await this.db.asSystem('test', (tx) =>
      tx.selectFrom('outbox').select(['type', 'organization_id', 'subject', 'sequence', 'envelope']).orderBy('position').execute(),
    );
    return rows
      .filter((row) => type === undefined || row.type === type)
      .map(({ envelope, ...row }) => ({ ...row, data: envelope.data as Record<string, unknown> }));
  }

  /** Row counts, which a rejected call must not change. */
  async weight(): Promise<Record<string, number>> {
    return this.db.asSystem('test', async (tx) => {
      const weight: Record<string, number> = {};
      for (const table of weighed) {
        weight[table] = (
          await tx
            .selectFrom(table)
            .select((of) => of.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
        ).count;
      }
      return weight;
    });
  }

  /** A person as after sign-up and confirmation, with `password`. */
  async aPerson(overrides: { email?: string; confirmed?: boolean; first_name?: string | null } = {}): Promise<Person> {
    const { email = `person-${newId()}@example.com`, confirmed = true, first_name = 'Maria' } = overrides;
    const id = newId();
    await this.db.asSystem('test', (tx) =>
      tx
        .insertInto('users')
        .values({
          id,
          email,
          first_name,
          last_name: null,
          password_hash: this.password_hash,
          email_confirmed_at: confirmed ? new Date().toISOString() : null,
        })
        .execute(),
    );
    return { user_id: id, email };
  }
}

export const anonymous = (organization_id: string | null = null): Context => ({
  organization_id,
  actor: { type: 'customer' },
  request_id: 'test',
  client,
});
export const gateway: Context = systemContext(null, 'test');
export const asActor = (actor: Actor, organization_id: string | null = null): Context => ({
  organization_id,
  actor,
  request_id: 'test',
  client,
});

/** A signed-in caller with a random session id, for tests that do not depend on the session. */
export const asPerson = (
  person: { user_id: string; email?: string },
  membership: { organization_id: string; role: 'admin' | 'manager' | 'agent' } | null = null,
): Context =>
  asActor(
    { type: 'user', user_id: person.user_id, role: membership?.role ?? null, session_id: newId() },
    membership?.organization_id ?? null,
  );

/** The caller of a session, as the gateway builds it from the access token. */
export const asSession = ({ session_id, profile }: Session): Context =>
  asActor({ type: 'user', user_id: profile.user_id, role: profile.role, session_id }, profile.organization_id);
