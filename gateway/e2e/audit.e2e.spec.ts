import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { eventually } from '@tandem/testing';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

describe('the audit log', () => {
  let app: TestApp;
  let ada: OwnerSession;
  beforeAll(async () => {
    app = await startTestApp();
    ada = await app.signUpOwner();
    await app.signIn(ada.email);
    await app.browser().post('/auth/sign-in', { email: ada.email, password: 'wrong password' }, { headers: { 'user-agent': '=cmd|calc' } });
  });

  const read = (query = '', browser = ada.browser) => browser.get<AuditEntry[]>(`/audit-log${query}`);
  const csv = (query = '', browser = ada.browser) => browser.get(`/audit-log.csv${query}`);
  const types = async (query: string) => (await read(query)).data.map(({ type }) => type);
  const signIns = (entries: AuditEntry[]) => entries.map(({ type }) => type).filter((type) => type.startsWith('sign_in.'));

  it('records successful and failed sign-ins with user, client address and browser', async () => {
    const { data } = await read('?category=security');
    // The owner's first sign-in was before the organization, and so its log, existed.
    expect(signIns(data)).toEqual(['sign_in.failed', 'sign_in.succeeded']);
    const [failed, succeeded] = ['sign_in.failed', 'sign_in.succeeded'].map((wanted) => data.find(({ type }) => type === wanted));
    expect(failed).toMatchObject({ severity: 'medium', target: ada.email, user_agent: '=cmd|calc', ip: expect.stringMatching(/^198\./) });
    expect(succeeded).toMatchObject({ severity: 'low', actor_id: ada.session.profile.user_id, actor_email: ada.email });
    expect((await ada.browser.get('/security-events')).data).toEqual(data);
  });

  it('records the client address of changes in other services, as seen by the trusted proxies', async () => {
    const policy = (name: string) => ({ name, priority_level: 'low' });
    const claimed = { 'x-forwarded-for': '203.0.113.66, 198.18.7.7' };
    expect((await ada.browser.post('/sla-policies', policy('Claimed'), { headers: claimed })).status).toBe(201);
    const entry = await eventually(async () => {
      const { data } = await read('?type=sla_policy.created');
      expect(data).toHaveLength(1);
      return data[0]!;
    });
    // The right-most address is the one that our proxy saw; the client wrote those to its left.
    expect(entry).toMatchObject({ target: 'Claimed', ip: '198.18.7.7', actor_email: ada.email });
    expect(entry.user_agent).not.toBeNull();
  });

  it('can be filtered and read page by page with a cursor', async () => {
    expect(await types('?type=sign_in.failed')).toEqual(['sign_in.failed']);
    expect(await types(`?category=security&actor_id=${ada.session.profile.user_id}`)).toContain('sign_in.succeeded');
    expect(await types('?to=2020-01-01T00:00:00Z')).toEqual([]);
    const all = await types('');
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await read(`?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      paged.push(...page.data.map(({ type }) => type));
      cursor = page.body.meta.pagination!.next_cursor;
    } while (cursor);
    expect(paged).toEqual(all);
  });

  it('can be downloaded as CSV without cells that a spreadsheet would execute', async () => {
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const file = await csv();
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    // Midnight may pass in between.
    expect([before, today()].map((day) => `attachment; filename="audit-log-${day}.csv"`)).toContain(
      file.headers.get('content-disposition'),
    );
    const lines = file.text.split('\r\n');
    expect(lines[0]).toBe('occurred_at,actor_email,event,target,changes,category,severity,type,ip,user_agent,actor_id,id');
    expect(lines.at(-1)).toBe('');
    expect(lines.slice(1, -1)).toHaveLength((await read('?limit=100')).data.length);
    expect(file.text).toContain(",'=cmd|calc,");
    expect((await csv('?type=sign_in.failed')).text.split('\r\n').slice(1, -1)).toHaveLength(1);
  });

  it('downloads all entries in order across several pages', async () => {
    const organization_id = randomUUID();
    const db = new Database<IdentityTables>({ url: app.env['IDENTITY_DATABASE_URL']!, applicationName: 'test' });
    const rows = Array.from({ length: 250 }, (_, i) => ({
      id: newId(),
      organization_id,
      type: 'member.joined' as const,
      category: 'team' as const,
      severity: 'low' as const,
      actor_id: null,
      actor_email: null,
      target: `person ${i}, the "${i}th"`,
      ip: null,
      user_agent: null,
      changes: null,
    }));
    await db.forTenant({ organization_id }, (tx) => tx.insertInto('audit_log').values(rows).execute());
    await db.close();
    const { text } = await csv('', app.as('admin', organization_id));
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines.map((line) => line.slice(line.lastIndexOf(',') + 1))).toEqual(rows.map(({ id }) => id).toReversed());
    expect(lines.at(-1)).toContain(',"person 0, the ""0th""",');
  });

  it.each(['/audit-log', '/audit-log.csv', '/security-events'])('is available to admins of the organization only: GET %s', async (path) => {
    expect(codeOf(await app.browser().get(path))).toBe('401 session.required');
    for (const role of ['manager', 'agent'] as const)
      expect(codeOf(await app.as(role, ada.organization.id).get(path))).toBe('403 permission.denied');
    const stranger = await app.as('admin', randomUUID()).get(path);
    expect(stranger.status).toBe(200);
    expect(stranger.text).not.toContain(ada.email);
  });

  it.each([
    ['category', 'other'],
    ['actor_id', 'me'],
    ['from', 'yesterday'],
    ['cursor', 'x'],
    ['limit', '5'],
    ['organization_id', randomUUID()],
  ])('reports invalid filters as a problem instead of a file: %s=%s', async (name, value) => {
    const refused = await csv(`?${name}=${value}`);
    expect([refused.status, refused.body.code, refused.headers.get('content-disposition')]).toEqual([422, 'request.invalid', null]);
    expect(JSON.stringify(refused.body.errors)).toContain(name);
  });
});
