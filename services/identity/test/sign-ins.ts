import {
  beginMfa,
  confirmMfa,
  createOrganization,
  readSession,
  refreshSession,
  signIn,
  type IssuedSession,
  type Session,
} from '@tandem/contracts';
import { Secret, TOTP } from 'otpauth';
import { anonymous, asPerson, asSession, client, password, type Answer, type IdentityUnderTest, type Person } from './identity';

export type Issued = IssuedSession & { refresh_token: string };
export type Membership = { organization_id: string; role: 'admin' | 'manager' | 'agent' };
type Times = Partial<Record<'created_at' | 'last_seen_at' | 'idle_expires_at' | 'absolute_expires_at' | 'rotated_at', number>>;

export const expired = { status: 401, data: { code: 'session.expired' } };
export const fromNow = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
/** Within ten seconds of `seconds` from now. */
export const about = (iso: unknown, seconds: number): void =>
  expect(Math.abs(Date.parse(iso as string) - Date.now() - seconds * 1000)).toBeLessThan(10_000);

/** The authenticator code, now or `steps` steps from now. */
export const codeOf = (secret: string, steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
/** A code that is invalid now and in the next steps. */
export const wrongCodeOf = (secret: string): string => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
};

/** Signs people in at the service under test, and reads the resulting log. */
export class SignIns {
  constructor(private readonly identity: IdentityUnderTest) {}

  tryWith(email: unknown, withPassword: unknown = password, from: Partial<typeof client> = {}): Promise<Answer> {
    const ctx = { ...anonymous(), client: { ...client, ...from } };
    return this.identity.call(signIn, ctx, { body: { email, password: withPassword } });
  }

  async of(person?: Person, from: Partial<typeof client> = {}): Promise<Issued> {
    const { status, data } = await this.tryWith((person ?? (await this.identity.aPerson())).email, password, from);
    expect(status).toBe(200);
    return data as unknown as Issued;
  }

  refresh = (refresh_token: unknown, more: object = {}): Promise<Answer> =>
    this.identity.call(refreshSession, anonymous(), { body: { refresh_token, ...more } });

  async refreshed(token: string): Promise<string> {
    const { status, data } = await this.refresh(token);
    expect(status).toBe(200);
    return data.refresh_token as string;
  }

  read = (session: Session): Promise<Answer> => this.identity.call(readSession, asSession(session));

  rowOf = (session: Pick<Session, 'session_id'>) =>
    this.identity.db.asSystem('test', (tx) =>
      tx.selectFrom('sessions').selectAll().where('id', '=', session.session_id).executeTakeFirstOrThrow(),
    );

  /** Sets times of a session, in seconds from now. */
  async move(session: Pick<Session, 'session_id'>, seconds: Times): Promise<void> {
    const times = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, fromNow(value)]));
    await this.identity.db.asSystem('test', (tx) => tx.updateTable('sessions').set(times).where('id', '=', session.session_id).execute());
  }

  /** An organization with its first admin. */
  async aMember() {
    const person = await this.identity.aPerson();
    const { data } = await this.identity.call(createOrganization, asPerson(person), { body: { name: 'Members Only' } });
    const organization = data as Record<string, unknown> & { id: string };
    return { person, organization, membership: { organization_id: organization.id, role: 'admin' } satisfies Membership };
  }

  async join(organization_id: string, role: Membership['role']): Promise<Person> {
    const person = await this.identity.aPerson();
    const { user_id } = person;
    await this.identity.db.forTenant({ organization_id }, (tx) =>
      tx.insertInto('members').values({ organization_id, user_id, role }).execute(),
    );
    return person;
  }

  async setMember(person: Person, organization_id: string, values: { is_active?: boolean; role?: Membership['role'] }): Promise<void> {
    await this.identity.db.forTenant({ organization_id }, (tx) =>
      tx.updateTable('members').set(values).where('user_id', '=', person.user_id).execute(),
    );
  }

  async requireMfa(organization_id: string, require_mfa_for_admins = true): Promise<void> {
    await this.identity.db.forTenant({ organization_id }, (tx) =>
      tx.updateTable('organizations').set({ require_mfa_for_admins }).where('id', '=', organization_id).execute(),
    );
  }

  /** The organization's log without the entries of its creation, oldest first. */
  async log(organization_id: string) {
    const rows = await this.identity.db.forTenant({ organization_id }, (tx) =>
      tx.selectFrom('audit_log').selectAll().orderBy('id').execute(),
    );
    return rows.filter(({ category }) => category === 'security');
  }
  logTypes = async (organization_id: string) => (await this.log(organization_id)).map(({ type }) => type);

  /** The current access version, and the latest one announced to the gateways. */
  async access(user_id: string): Promise<{ version: number; announced: number | undefined }> {
    const { access_version } = await this.identity.db.asSystem('test', (tx) =>
      tx.selectFrom('users').select('access_version').where('id', '=', user_id).executeTakeFirstOrThrow(),
    );
    const events = (await this.identity.events('access.changed')).filter(({ subject }) => subject === user_id);
    return { version: access_version, announced: events.at(-1)?.data['access_version'] as number | undefined };
  }

  /** Enables two-factor sign-in. Marks its first code as unused, so that tests need not wait for the next one. */
  async withMfa(person: Person, membership: Membership | null = null): Promise<{ secret: string; recovery_codes: string[] }> {
    const ctx = asPerson(person, membership);
    const { data: begun } = await this.identity.call(beginMfa, ctx, { body: { current_password: password } });
    const secret = begun['secret'] as string;
    const { status, data } = await this.identity.call(confirmMfa, ctx, { body: { code: codeOf(secret) } });
    expect(status).toBe(200);
    await this.setMfa(person, { last_used_step: null });
    return { secret, recovery_codes: data['recovery_codes'] as string[] };
  }

  async setMfa(person: Person, values: { last_used_step?: null; failed_since?: string; blocked_until?: string }): Promise<void> {
    await this.identity.db.asSystem('test', (tx) => tx.updateTable('mfa').set(values).where('user_id', '=', person.user_id).execute());
  }
}
