import { ExportManifest, serviceNames, type Article, type Attachment, type Export, type IssuedApiToken } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { exportFiles } from '@tandem/tickets/src/data-export/export-files';
import { unzip } from '@tandem/tickets/test/zip';
import { eventually, mailbox } from '@tandem/testing';
import { sql } from 'kysely';
import { codeOf, password, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '1000' });
  ada = await app.signUpOwner('=Acme');
});

const sent = async <T>(path: string, body: object, method: 'POST' | 'PUT' | 'PATCH' = 'POST'): Promise<T> => {
  const answer = await ada.browser.send<T>(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.data;
};
async function aFile(name: string, content: string): Promise<Attachment> {
  const { upload_url } = await sent<{ upload_url: string }>('/attachments', { file_name: name, size: content.length });
  const answer = await app.browser().send<Attachment>('PUT', `/${upload_url}`, { raw: content, headers: { 'content-type': 'text/plain' } });
  return answer.data;
}
/** All values of columns that are sealed, hashed or secret, in all services. */
async function storedSecrets(): Promise<string[]> {
  const values: string[] = [];
  for (const name of serviceNames) {
    const db = new Database({ url: app.env[`${name.toUpperCase()}_DATABASE_URL`]!, applicationName: 'test' });
    await db.forTenant({ organization_id: ada.organization.id }, async (tx) => {
      const { rows } = await sql<{ name: string; column: string }>`
        select table_name as name, column_name as column from information_schema.columns
        where table_schema = 'public' and column_name ~ 'sealed|hash|secret|private_key'`.execute(tx);
      for (const { name: table, column } of rows) {
        const found = await sql<{ value: string | null }>`select ${sql.ref(column)}::text as value from ${sql.table(table)}`.execute(tx);
        values.push(...found.rows.flatMap(({ value }) => (value !== null && value.length >= 12 ? [value] : [])));
      }
    });
    await db.close();
  }
  return values;
}

describe('an export of an organization', () => {
  let entries: Map<string, string>;
  const issued: string[] = [password];
  const linesOf = (name: string) =>
    entries
      .get(name)!
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  beforeAll(async () => {
    const file = await aFile('=fire.txt', 'bytes of the file');
    const ticket = await app.ticket(ada.browser, { subject: '=1+1' });
    await sent(`/tickets/${ticket.id}/comments`, { content: 'Look, =2+2', attachment_ids: [file.id] });
    const article = await sent<Article>('/articles', { title: 'How to', body: 'Text', visibility: 'public' });
    await sent(`/articles/${article.id}/publish`, { version: article.version });
    await sent('/sla-policies', { name: 'Fast', priority_level: 'high' });
    await sent('/branding', { custom_css: 'a { color: red }', email_template_header: '<p>Hello</p>' }, 'PUT');
    issued.push((await sent<IssuedApiToken>('/api-tokens', { name: 'Importer', permissions: ['tickets:read'] })).value);
    issued.push((await sent<{ secret: string }>('/widget-settings/rotate-secret', {})).secret);
    issued.push((await sent<{ secret: string }>('/webhook-endpoints', { url: 'https://hooks.example.com/x' })).secret);
    await sent('/analytics/reports', { frequency: 'weekly', recipient_ids: [ada.session.profile.user_id], time_zone: null });

    const { id } = await sent<Export>('/exports', {});
    await eventually(async () => expect((await ada.browser.get<Export>(`/exports/${id}`)).data.state).toBe('done'), { timeoutMs: 30_000 });
    const { url } = await sent<{ url: string }>(`/exports/${id}/link`, {});
    const answer = await app.browser().fetch('GET', `/${url}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-type': 'application/zip', 'cache-control': 'private, no-store' });
    const zip = await unzip(Buffer.from(await answer.arrayBuffer()));
    entries = new Map([...zip].map(([name, bytes]) => [name, bytes.toString('utf8')]));
  });

  it('has the lines of all services, each of which matches its schema', () => {
    const manifest = ExportManifest.parse(JSON.parse(entries.get('manifest.json')!));
    expect(manifest.organization).toEqual({ id: ada.organization.id, name: '=Acme', subdomain: ada.organization.subdomain });
    for (const { name, schema } of exportFiles)
      for (const line of linesOf(name)) expect({ name, line, ...schema.safeParse(line) }).toMatchObject({ success: true });
    expect(linesOf('organization.jsonl')).toMatchObject([{ id: ada.organization.id }]);
    expect(linesOf('members.jsonl')).toMatchObject([{ email: ada.email, role: 'admin' }]);
    expect(linesOf('branding.jsonl')).toMatchObject([{ custom_css: 'a { color: red }' }]);
    expect(linesOf('api_tokens.jsonl')).toMatchObject([{ name: 'Importer' }]);
    expect(linesOf('webhook_endpoints.jsonl')).toMatchObject([{ url: 'https://hooks.example.com/x' }]);
    expect(linesOf('report_schedules.jsonl')).toMatchObject([{ frequency: 'weekly' }]);
    expect(linesOf('audit_log.jsonl').map(({ type }) => type)).toContain('api_token.created');
    for (const name of ['tickets', 'comments', 'history', 'articles', 'article_versions', 'sla_policies', 'files'])
      expect({ name, lines: linesOf(`${name}.jsonl`).length > 0 }).toEqual({ name, lines: true });
    expect(entries.get(linesOf('files.jsonl')[0]!['entry'] as string)).toBe('bytes of the file');
  });

  it('has no value that is stored sealed or hashed, and none that was shown once', async () => {
    const secrets = [...issued, ...(await storedSecrets())];
    expect(secrets.length).toBeGreaterThan(5);
    const everything = [...entries.values()].join('\n');
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('is in the audit log, and an email tells the admin that it is ready', async () => {
    const types = ['export.created', 'export.finished', 'export.downloaded'];
    await eventually(async () => {
      const { data } = await ada.browser.get<{ type: string }[]>('/audit-log');
      expect(data.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    });
    const mail = await mailbox.waitFor({ to: ada.email, subject: 'Your export is ready' });
    expect(mail.links.filter((link) => link.includes('export-files'))).toEqual([]);
  });
});

describe('tickets as CSV', () => {
  it('has the tickets of the list with their custom fields, and no formulas', async () => {
    const owner = await app.signUpOwner();
    await owner.browser.post('/custom-fields', { key: 'order', label: '=Order', type: 'text' });
    const tickets = [];
    for (let n = 0; n < 105; n += 1)
      tickets.push(
        await app.ticket(owner.browser, { subject: `=${n}`, custom_fields: { order: `@${n}` }, priority: n === 0 ? 'urgent' : 'low' }),
      );
    const all = await owner.browser.get('/tickets.csv?sort=newest');
    expect(all.headers.get('content-disposition')).toMatch(/^attachment; filename="tickets-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = all.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(106);
    expect(lines[0]).toMatch(/^number,subject,status,.*,'=Order$/);
    expect(lines.at(-1)).toMatch(new RegExp(`^${tickets[0]!.ticket_number},'=0,open,urgent,.*,'@0$`));
    const urgent = await owner.browser.get('/tickets.csv?priority=urgent');
    expect(urgent.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(codeOf(await owner.browser.get('/tickets.csv?limit=5'))).toBe('422 request.invalid');
    expect((await app.as('agent', ada.organization.id).get('/tickets.csv')).text).not.toContain(tickets[0]!.ticket_number);
    expect((await app.browser().get('/tickets.csv')).status).toBe(401);
  });
});
