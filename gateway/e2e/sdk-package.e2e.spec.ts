import type { WebhookDelivery, WebhookEvent } from '@tandem/contracts';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tandem/testing';
import { Webhook } from 'standardwebhooks';
import { issueToken } from './api-client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

/** The package as users install it: packed, installed from the file into an empty project, and run as processes. */

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tandem-sdk-'));
const project = join(folder, 'project');

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}
const run = (file: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {}): Promise<Result> =>
  new Promise((resolve) => {
    const { input, env, cwd = project } = options;
    const child = execFile(
      file,
      args,
      { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: 100_000 },
      (error, stdout, stderr) => resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr }),
    );
    child.stdin!.on('error', () => {}); // it ended without reading its input
    child.stdin!.end(input ?? '');
  });
async function mustRun(...args: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`${args[0]} ${args[1].join(' ')}: exit code ${code}\n${stdout}${stderr}`);
  return stdout;
}

let app: TestApp;
let ada: OwnerSession;
let env: Record<string, string>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const sdk = join(root, 'libs/sdk');
  await mustRun(process.execPath, [join(root, 'node_modules/rolldown/bin/cli.mjs'), '-c', 'rolldown.config.mjs'], { cwd: sdk });
  await mustRun('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: sdk });
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')) as { version: string };
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, `tandem-sdk-${version}.tgz`)];
  await mustRun('npm', install);
  app = await startTestApp();
  ada = await app.signUpOwner();
  const { value } = await issueToken(ada, { permissions: ['tickets:read', 'tickets:write', 'webhooks:manage'] });
  env = { TANDEM_URL: app.gateway.url, TANDEM_TOKEN: value, XDG_CONFIG_HOME: join(folder, 'config') };
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cliFile = join(project, 'node_modules/@tandem/sdk/bin/tandem.js');
const cli = (args: string[], more: { env?: NodeJS.ProcessEnv; input?: string } = {}) =>
  run(process.execPath, [cliFile, ...args], { ...more, env: { ...env, ...more.env } });
const rowsOf = ({ stdout }: Result) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the package', () => {
  it('has no dependency, and contains only the files that it needs', async () => {
    const files = JSON.parse(await mustRun('npm', ['ls', '--json', '--all'])) as {
      dependencies: Record<string, { dependencies?: object }>;
    };
    expect(Object.keys(files.dependencies)).toEqual(['@tandem/sdk']);
    expect(files.dependencies['@tandem/sdk']!.dependencies).toBeUndefined();
  });

  const use = `
    const stats = await new Tandem({ token: process.env.TANDEM_TOKEN, baseUrl: process.env.TANDEM_URL }).tickets.stats();
    if (typeof stats.total !== 'number' || typeof verifyWebhook !== 'function') throw new Error('unusable');
    const error = await new Tandem({ token: 'x', baseUrl: process.env.TANDEM_URL }).tickets.stats().catch((error) => error);
    if (!(error instanceof TandemError)) throw new Error('another error');`;

  it('works as an ES module and as CommonJS', async () => {
    writeFileSync(join(project, 'use.mjs'), `import { Tandem, TandemError, verifyWebhook } from '@tandem/sdk';${use}`);
    const required = `const { Tandem, TandemError, verifyWebhook } = require('@tandem/sdk'); (async () => {${use}})();`;
    writeFileSync(join(project, 'use.cjs'), required);
    for (const file of ['use.mjs', 'use.cjs']) await mustRun(process.execPath, [file], { env });
  });

  it('has types that compile strictly, as an ES module and as CommonJS, with Node’s and with a bundler’s resolution', async () => {
    const source = `
      import { Tandem, TandemError, verifyWebhook, type Ticket } from '@tandem/sdk';
      export async function use(tandem: Tandem): Promise<string> {
        for await (const { subject } of tandem.tickets.list({ status: ['open'] })) console.log(subject.length);
        const { items, pagination } = await tandem.tickets.list();
        const ticket: Ticket = await tandem.tickets.create({ subject: 'x', customer_email: 'a@b.c' }, { idempotencyKey: 'k' });
        await tandem.tickets.update(ticket.id, { status: 'resolved' }, { ifMatch: ticket });
        // @ts-expect-error: not a status
        await tandem.tickets.update(ticket.id, { status: 'done' });
        // @ts-expect-error: the customer is missing
        await tandem.tickets.create({ subject: 'x' });
        const event = await verifyWebhook('', new Headers(), ['whsec_']);
        if ('data' in event && event.event === 'ticket.created') return event.data.ticket.subject;
        return String(items.length + pagination.total) + String(new TandemError('', { code: 'x' }).code);
      }`;
    for (const file of ['use.mts', 'use.cts', 'use.ts']) writeFileSync(join(project, file), source);
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const strict = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      '',
    ];
    await mustRun(process.execPath, [compiler, ...strict, '--module', 'nodenext', 'use.mts', 'use.cts']);
    await mustRun(process.execPath, [compiler, ...strict, '--module', 'esnext', '--moduleResolution', 'bundler', 'use.ts']);
  });
});

describe('the command line', () => {
  it('signs in with a token from a pipe, and stores it for this user only', async () => {
    const { TANDEM_TOKEN, TANDEM_URL } = env as { TANDEM_TOKEN: string; TANDEM_URL: string };
    const own = { TANDEM_TOKEN: '', TANDEM_URL: '' };
    expect(await cli(['tickets', 'list'], { env: own })).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('tandem login'),
    });
    const wrong = await cli(['login', '--url', TANDEM_URL], { env: own, input: 'tnd_live_wrong' });
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('Settings → API')]);
    const signedIn = await cli(['login', '--url', TANDEM_URL], { env: own, input: `${TANDEM_TOKEN}\n` });
    expect(signedIn).toMatchObject({ code: 0, stderr: expect.stringContaining('You are signed in') });
    expect(signedIn.stderr).not.toContain(TANDEM_TOKEN);
    expect(statSync(join(folder, 'config/tandem/config.json')).mode & 0o777).toBe(0o600);
    expect((await cli(['tickets', 'list'], { env: own })).code).toBe(0);
    // The stored token is never sent to another address.
    expect((await cli(['tickets', 'list'], { env: { ...own, TANDEM_URL: 'http://localhost:1' } })).code).toBe(3);
  });

  it('creates, lists, shows, answers and closes tickets, by number and id', async () => {
    const created = await cli(['tickets', 'create', '--subject', 'From the shell', '--email', 'ada@example.com', '--tags', 'shell,cli']);
    expect(created.code).toBe(0);
    const ticket = rowsOf(created)[0] as { id: string; ticket_number: string };
    expect(ticket).toMatchObject({ subject: 'From the shell', tags: ['shell', 'cli'] });
    expect(rowsOf(await cli(['tickets', 'list', '--status', 'open', '--limit', '1']))).toMatchObject([{ id: ticket.id }]);
    await eventually(async () => expect(rowsOf(await cli(['tickets', 'get', ticket.ticket_number]))).toMatchObject([{ id: ticket.id }]));
    expect(rowsOf(await cli(['tickets', 'reply', ticket.id], { input: 'Hello from a pipe\n' }))).toMatchObject([
      { content: 'Hello from a pipe', is_internal: false },
    ]);
    expect(rowsOf(await cli(['tickets', 'reply', ticket.id, 'A note', '--internal']))).toMatchObject([{ is_internal: true }]);
    expect(rowsOf(await cli(['tickets', 'close', ticket.id]))).toMatchObject([{ status: 'closed' }]);
  });

  it('sends any request', async () => {
    const listed = rowsOf(await cli(['api', 'get', '/tickets?limit=1']));
    expect(listed).toMatchObject([{ success: true, data: [{ subject: 'From the shell' }] }]);
    const body = JSON.stringify({ subject: 'Raw', customer_email: 'ada@example.com' });
    expect(rowsOf(await cli(['api', 'POST', '/tickets', '--data', '-'], { input: body }))).toMatchObject([{ data: { subject: 'Raw' } }]);
  });

  it.each<[number, string, string[], NodeJS.ProcessEnv]>([
    [2, '--help', ['tickets', 'delete'], {}],
    [2, 'subject', ['tickets', 'create'], {}],
    [2, 'tandem api GET /tickets', ['api', 'GET', 'tickets'], {}],
    [2, 'Correct --data', ['api', 'POST', '/tickets', '--data', '{'], {}],
    [1, 'Check the number', ['tickets', 'get', 'NOPE-1'], {}],
    [1, 'Check the id', ['tickets', 'get', '01980000-0000-7000-8000-000000000001'], {}],
    [1, 'Enter a valid email address', ['tickets', 'create', '--subject', 'x', '--email', 'x'], {}],
    [1, 'Check that Tandem is running', ['tickets', 'list'], { TANDEM_URL: 'http://127.0.0.1:1' }],
    [3, 'Settings → API', ['tickets', 'list'], { TANDEM_TOKEN: 'tnd_live_x' }],
    [1, 'There is no webhook endpoint', ['trigger', 'ticket.created'], {}],
  ])('exits with %d and says what to do: %s', async (code, hint, args, own) => {
    const result = await cli(args, { env: own });
    expect([result.code, result.stdout, result.stderr]).toEqual([code, '', expect.stringContaining(hint)]);
  });

  it('lists deliveries, triggers an event and replays', async () => {
    const created = await ada.browser.post<{ endpoint: { id: string } }>('/webhook-endpoints', {
      url: 'https://receiver.example.com/hook',
    });
    expect(created.status).toBe(201);
    expect(rowsOf(await cli(['trigger', 'ticket.created']))).toMatchObject([{ event: 'ticket.created', cause: 'test' }]);
    const deliveries = rowsOf(await cli(['webhooks', 'deliveries'])) as unknown as WebhookDelivery[];
    expect(deliveries).toMatchObject([{ event: 'ticket.created', endpoint_id: created.data.endpoint.id }]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(rowsOf(await cli(['webhooks', 'replay', '--since', since, '--which', 'all', '--dry-run']))).toMatchObject([{ replay: null }]);
  });
});

describe('tandem listen', () => {
  interface Hook {
    headers: IncomingHttpHeaders;
    body: string;
  }
  async function receiver(statuses: number[] = []) {
    const hooks: Hook[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        hooks.push({ headers: request.headers, body });
        response.writeHead(statuses[hooks.length - 1] ?? 204).end();
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { hooks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close: () => server.close() };
  }
  function start(...args: string[]) {
    const child = spawn(process.execPath, [cliFile, 'listen', ...args], {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    children.push(child);
    const seen = { stdout: '', stderr: '', rows: () => rowsOf({ code: 0, ...seen }) };
    child.stdout.on('data', (chunk) => (seen.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (seen.stderr += String(chunk)));
    return { child, seen };
  }

  it('posts each event, signed like a real delivery, and continues after an interruption', async () => {
    const target = await receiver([204, 500]);
    const { child, seen } = start('--forward-to', target.url, '--events', 'ticket.created');
    await eventually(() => expect(seen.stderr).toContain('Forwarding to'));
    // The stream starts shortly afterwards: create until the first event arrives.
    await eventually(async () => {
      await app.ticket(ada.browser, { subject: 'While listening' });
      await eventually(() => expect(target.hooks.length).toBeGreaterThan(0), { timeoutMs: 2_000 });
    });
    const secret = /whsec_\S+/.exec(seen.stderr)![0];
    const [{ headers, body }] = target.hooks as [Hook];
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as WebhookEvent;
    expect(event).toMatchObject({ event: 'ticket.created', data: { ticket: { subject: 'While listening' } } });
    expect(headers).toMatchObject({ 'x-tandem-event': 'ticket.created', 'user-agent': 'Tandem-Webhooks/1', 'webhook-id': event.id });
    await app.ticket(ada.browser, { subject: 'The second' });
    await eventually(() => expect(seen.rows().length).toBeGreaterThanOrEqual(2));
    expect(seen.rows().map(({ status }) => status)).toEqual(expect.arrayContaining([204, 500]));

    // Events that happen while it does not run arrive later, from the position of its last line.
    const { position } = seen.rows().at(-1)!;
    child.kill('SIGINT');
    await once(child, 'exit');
    const missed = await app.ticket(ada.browser, { subject: 'While away' });
    const again = start('--forward-to', target.url, '--events', 'ticket.created', '--after', String(position), '--secret', secret);
    await eventually(() => expect(again.seen.rows().length).toBeGreaterThan(0));
    const last = JSON.parse(target.hooks.at(-1)!.body) as WebhookEvent;
    expect(last.data.ticket.id).toBe(missed.id);
    target.close();
  });

  it('reports that no program is listening at the address, and continues', async () => {
    const { seen } = start('--forward-to', 'http://127.0.0.1:1/hook', '--after', '0');
    await eventually(() => expect(seen.rows().length).toBeGreaterThan(1));
    expect(seen.rows()[0]).toMatchObject({ status: null, error: expect.any(String) });
  });
});
