import { auditEvents, listAuditLog, listSecurityEvents, type AuditEntry, type AuditType, type Context, type Page } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { contextHeader, signContext } from '@tandem/platform';
import { eventually, startForTest, testEnv } from '@tandem/testing';
import { asActor, asPerson, client, IdentityUnderTest, type Person } from '../../test/identity';
import { identityService } from '../identity.module';
import { lowestIdFrom } from './audit';
import { recordAudit } from './audit.store';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

interface TestOrganization {
  organization_id: string;
  person: Person;
  admin: Context;
}
async function anOrganization(): Promise<TestOrganization> {
  const organization_id = newId();
  const person = await identity.aPerson();
  return { organization_id, person, admin: asPerson(person, { organization_id, role: 'admin' }) };
}
const note = (
  { organization_id, admin }: TestOrganization,
  type: AuditType,
  more: { target?: string; changes?: AuditEntry['changes'] } = {},
) =>
  identity.db.forTenant({ organization_id }, (tx) =>
    recordAudit(tx, admin, { type, organization_id, ...more, changes: more.changes ?? undefined }),
  );
const read = async (ctx: Context, query: Record<string, string> = {}) =>
  (await identity.call(listAuditLog, ctx, { query })).data as unknown as AuditEntry[];
const types = (entries: AuditEntry[]) => entries.map(({ type }) => type);

/** Includes the pagination, which `call` drops. */
async function readPage(ctx: Context, query: Record<string, string>) {
  const { CONTEXT_SECRET = '' } = identity['env'];
  const response = await fetch(`${identity.url}/audit-log?${new URLSearchParams(query).toString()}`, {
    headers: { [contextHeader]: signContext(ctx, CONTEXT_SECRET) },
  });
  const { data, meta } = (await response.json()) as { data: AuditEntry[]; meta: { pagination: Page<AuditEntry>['pagination'] } };
  return { items: data, pagination: meta.pagination };
}

describe('the audit log', () => {
  it('lists actor, event, client, and the values before and after, newest first', async () => {
    const organization = await anOrganization();
    await note(organization, 'invitation.created', { target: 'new@example.com' });
    await note(organization, 'member.role_changed', { target: 'new@example.com', changes: { role: { from: 'agent', to: 'manager' } } });
    const [latest, first] = await read(organization.admin);
    expect(first!.type).toBe('invitation.created');
    expect(latest).toEqual({
      id: expect.any(String),
      type: 'member.role_changed',
      category: 'team',
      severity: 'medium',
      occurred_at: expect.any(String),
      actor_id: organization.person.user_id,
      actor_email: organization.person.email,
      target: 'new@example.com',
      ip: client.ip,
      user_agent: client.user_agent,
      changes: { role: { from: 'agent', to: 'manager' } },
    });
  });

  it('is filtered by category, type, severity, user and time, alone and combined', async () => {
    const organization = await anOrganization();
    const other = {
      ...organization,
      admin: asPerson(await identity.aPerson(), { organization_id: organization.organization_id, role: 'admin' }),
    };
    // Times have millisecond precision: make sure that no two entries have the same.
    const anotherMillisecond = () => new Promise((resolve) => setTimeout(resolve, 5));
    await note(organization, 'sign_in.succeeded');
    await anotherMillisecond();
    await note(organization, 'member.deactivated');
    await anotherMillisecond();
    await note(other, 'oidc.connected');
    const all = await read(organization.admin);
    expect(types(all)).toEqual(['oidc.connected', 'member.deactivated', 'sign_in.succeeded']);
    expect(types(await read(organization.admin, { category: 'team' }))).toEqual(['member.deactivated']);
    expect(types(await read(organization.admin, { type: 'sign_in.succeeded' }))).toEqual(['sign_in.succeeded']);
    expect(types(await read(organization.admin, { severity: 'high' }))).toEqual(['oidc.connected']);
    expect(types(await read(organization.admin, { actor_id: organization.person.user_id }))).toEqual([
      'member.deactivated',
      'sign_in.succeeded',
    ]);
    expect(types(await read(organization.admin, { actor_id: organization.person.user_id, category: 'security' }))).toEqual([
      'sign_in.succeeded',
    ]);
    const [latest, middle] = all;
    expect(types(await read(organization.admin, { from: middle!.occurred_at }))).toEqual(['oidc.connected', 'member.deactivated']);
    expect(types(await read(organization.admin, { from: middle!.occurred_at, to: latest!.occurred_at }))).toEqual(['member.deactivated']);
    expect(await read(organization.admin, { to: '0000-01-01T00:00:00Z' })).toEqual([]);
    expect(await read(organization.admin, { from: '9999-12-31T23:59:59Z' })).toEqual([]);
  });

  it('has pages that neither skip nor repeat entries while new ones are written', async () => {
    const organization = await anOrganization();
    for (let i = 0; i < 7; i++) await note(organization, 'invitation.created', { target: `${i}` });
    const seen: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const page = await readPage(organization.admin, { limit: '3', ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ target }) => target));
      cursor = page.pagination.next_cursor;
      await note(organization, 'session.signed_out');
    } while (cursor);
    expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    expect((await readPage(organization.admin, { limit: '1', category: 'team' })).pagination.total).toBe(7);
  });

  it('contains only entries of the organization', async () => {
    const [ours, theirs] = [await anOrganization(), await anOrganization()];
    await note(theirs, 'member.deactivated');
    expect(await read(ours.admin)).toEqual([]);
    expect(await read(ours.admin, { actor_id: theirs.person.user_id })).toEqual([]);
    const asked = await identity.call(listAuditLog, ours.admin, { query: { organization_id: theirs.organization_id } });
    expect(asked).toMatchObject({ status: 422, data: { code: 'request.invalid' } });
    expect((await identity.call(listSecurityEvents, ours.admin)).data).toEqual([]);
  });

  it.each(['manager', 'agent'] as const)('is forbidden for a %s', async (role) => {
    const { organization_id, person } = await anOrganization();
    const ctx = asPerson(person, { organization_id, role });
    for (const op of [listAuditLog, listSecurityEvents])
      expect(await identity.call(op, ctx)).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
  });

  it('requires an organization and a session', async () => {
    const withoutRole = asActor({ type: 'user', user_id: newId(), role: null, session_id: newId() });
    for (const op of [listAuditLog, listSecurityEvents]) {
      expect((await identity.call(op, withoutRole)).status).toBe(403);
      expect((await identity.call(op, undefined)).status).toBe(401);
    }
  });

  it.each([
    ['category', 'other'],
    ['category', ''],
    ['type', 'sign_in'],
    ['type', 'toString'],
    ['severity', 'HIGH'],
    ['actor_id', '1'],
    ['actor_id', "' or 1=1 --"],
    ['from', 'yesterday'],
    ['from', '2026-02-30T00:00:00Z'],
    ['to', '2026-11-20'],
    ['to', '\0'],
    ['limit', '0'],
    ['limit', '101'],
    ['page', '-1'],
    ['cursor', 'nonsense'],
    ['cursor', Buffer.from('["x"]').toString('base64url')],
    ['cursor', Buffer.from('[null]').toString('base64url')],
    ['cursor', 'x'.repeat(501)],
  ])('names the invalid field: %s = %j', async (field, value) => {
    const { admin } = await anOrganization();
    const { status, data } = await identity.call(listAuditLog, admin, { query: { [field]: value } });
    expect([status, data.errors?.map(({ path }) => path)]).toEqual([422, [field]]);
  });
});

describe('security events', () => {
  it('are the latest security entries, by default twenty', async () => {
    const organization = await anOrganization();
    await note(organization, 'organization.updated');
    for (let i = 0; i < 22; i++) await note(organization, 'sign_in.failed', { target: `${i}` });
    await note(organization, 'member.joined');
    const events = (await identity.call(listSecurityEvents, organization.admin)).data as unknown as AuditEntry[];
    expect(events.map(({ target }) => target)).toEqual(Array.from({ length: 20 }, (_, i) => `${21 - i}`));
    expect(events.every(({ category, severity }) => category === 'security' && severity === auditEvents['sign_in.failed'].severity)).toBe(
      true,
    );
    expect((await identity.call(listSecurityEvents, organization.admin, { query: { limit: '3' } })).data).toHaveLength(3);
  });

  it.each(['0', '101', 'x', '1.5'])('rejects the limit %j', async (limit) => {
    const { admin } = await anOrganization();
    const { status, data } = await identity.call(listSecurityEvents, admin, { query: { limit } });
    expect([status, data.errors?.map(({ path }) => path)]).toEqual([422, ['limit']]);
  });
});

describe('an audit entry', () => {
  it('is deleted after 400 days in every organization, and not earlier; an operator’s entry after two years', async () => {
    const organizations = [await anOrganization(), await anOrganization()];
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const count = () =>
      identity.db.asSystem('test', (tx) =>
        tx
          .selectFrom('audit_log')
          .select(['organization_id', 'target'])
          .where(
            'organization_id',
            'in',
            organizations.map(({ organization_id }) => organization_id),
          )
          .orderBy('target')
          .execute(),
      );
    await identity.db.asSystem('test', async (tx) => {
      for (const { organization_id } of organizations)
        await tx
          .insertInto('audit_log')
          .values(
            [399, 401, 500].map((days) => ({
              id: newId(),
              organization_id,
              type: 'member.joined' as const,
              category: 'team' as const,
              severity: 'low' as const,
              occurred_at: daysAgo(days),
              actor_id: null,
              actor_email: null,
              target: `${days} days`,
              ip: null,
              user_agent: null,
              changes: null,
            })),
          )
          .execute();
    });
    const operatorEntries = [729, 731, 900].map((days) => ({
      id: lowestIdFrom(daysAgo(days)),
      user_id: newId(),
      email: `${days}@example.com`,
      action: 'log.viewed' as const,
      target: null,
      ip: null,
      user_agent: null,
    }));
    await identity.db.asSystem('test', (tx) => tx.insertInto('operator_log').values(operatorEntries).execute());
    // Nothing calls the worker here: the sweep of any replica queues the job, and the job deletes.
    await startForTest(identityService, await testEnv({ IDENTITY_DATABASE_URL: identity.database.url, SWEEP_MS: '200' }));
    await eventually(async () => expect((await count()).map(({ target }) => target)).toEqual(['399 days', '399 days']));
    await eventually(async () => {
      const left = await identity.db.asSystem('test', (tx) => tx.selectFrom('operator_log').select('email').execute());
      expect(left.map(({ email }) => email)).toEqual(['729@example.com']);
    });
  });
});
