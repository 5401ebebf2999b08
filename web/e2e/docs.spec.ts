import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test, type BrowserContext } from '@playwright/test';
import { backoffPython, backoffTypescript } from '../src/features/docs/api-reference/backoff';
import { calls, ifMatch, languages, poll, sampleOf, type Call, type Language } from '../src/features/docs/api-reference/calls';
import {
  connectAssistant,
  createTicket,
  firstRequest,
  installCommand,
  listen,
  listenStarted,
  signIn,
  undelivered,
} from '../src/features/docs/build/commands';
import { verificationSnippets } from '../src/lib/verification-snippets';
import { baseUrl, call, createOrganization, createPortal, freePort } from './fixtures';

/** Runs the samples of the developer documentation against the product, as a reader does. */

const run = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..');
const recordedFile = join(repository, 'web/src/features/docs/api-reference/responses.json');
const recorded = JSON.parse(readFileSync(recordedFile, 'utf8')) as Record<string, unknown>;
const actual: Record<string, unknown> = {};

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tandem-docs-'));
});
test.afterAll(() => rmSync(directory, { recursive: true, force: true }));

const programs: Record<Language, [command: string, file: string]> = {
  curl: ['sh', 'sample.sh'],
  typescript: [process.execPath, 'sample.mts'],
  python: ['python3', 'sample.py'],
  php: ['php', 'sample.php'],
};
async function isInstalled(language: Language): Promise<boolean> {
  const [command] = programs[language];
  return run(command, language === 'curl' ? ['-c', 'curl --version'] : ['--version']).then(
    () => true,
    () => false,
  );
}
/** Runs a program and returns its output. */
async function start(language: Language, code: string, env: Record<string, string>): Promise<string> {
  const [command, name] = programs[language];
  const file = join(directory, name);
  writeFileSync(file, code);
  const { stdout } = await run(command, [file], { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 60_000 });
  return stdout;
}

interface Owner {
  portal: string;
  organizationId: string;
  token: string;
}
async function owner(context: BrowserContext): Promise<Owner> {
  const portal = await createPortal(context);
  const { organization } = (await call(context, 'get', '/auth/session')) as unknown as { organization: { id: string } };
  return { portal, organizationId: organization.id, token: await newToken(context) };
}
async function newToken(
  context: BrowserContext,
  permissions = ['tickets:read', 'tickets:write', 'organization:read', 'organization:write'],
): Promise<string> {
  return (await call(context, 'post', '/api-tokens', { name: 'Shop', permissions })).value ?? '';
}

interface Answer {
  success: boolean;
  data: { id: string; version: number; status: string }[] & { id: string; version: number; status: string };
  meta: { pagination: object };
}

/** The members of a value, with the types of those that are not null. Lists are described by their first item. */
function differences(documented: unknown, real: unknown, path = ''): string[] {
  if (documented === null || real === null) return [];
  if (Array.isArray(documented) && Array.isArray(real))
    return documented.length > 0 && real.length > 0 ? differences(documented[0], real[0], `${path}[]`) : [];
  if (typeof documented !== 'object' || typeof real !== 'object') return typeof documented === typeof real ? [] : [path];
  const [a, b] = [documented as Record<string, unknown>, real as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    name in a && name in b ? differences(a[name], b[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

/** The samples show only the first item of a list. */
function shortened(answer: Answer): object {
  const data: unknown = answer.data;
  if (Array.isArray(data)) return { ...answer, data: data.slice(0, 1) as unknown[] };
  const { events } = data as { events?: unknown[] };
  return events ? { ...answer, data: { ...(data as object), events: events.slice(0, 1) } } : answer;
}

for (const { value: language, label } of languages)
  test(`samples in ${label}`, async ({ context }) => {
    test.skip(!(await isInstalled(language)), `${label} is not installed`);
    const { token, organizationId } = await owner(context);
    const ids = { ticketId: '', organizationId };
    const runCall = async (each: Call): Promise<Answer> => {
      const code = sampleOf(each, language, `${baseUrl()}/api/v1`, ids);
      const answer = JSON.parse(await start(language, code, { TANDEM_TOKEN: token })) as Answer;
      expect(answer, each.title).toMatchObject({ success: true });
      return answer;
    };
    for (const each of calls) {
      const answer = await runCall(each);
      if (each.id === 'create-ticket') ids.ticketId = answer.data.id;
      actual[each.id] ??= shortened(answer);
      if (!process.env.RECORD_RESPONSES) expect(differences(recorded[each.id], answer), each.title).toEqual([]);
    }
  });

test('samples of concurrent changes and of polling', async ({ context }) => {
  const { token, portal } = await owner(context);
  // The organization's own address, as on the page.
  const base = `${portal}/api/v1`;
  const curl = async (code: string) => JSON.parse(await start('curl', code, { TANDEM_TOKEN: token })) as Answer;
  const { data } = await curl(sampleOf(calls[0]!, 'curl', base));
  const updated = await curl(ifMatch(base, data.id, `v${data.version}`));
  expect(updated.data.status).toBe('resolved');
  expect(await curl(ifMatch(base, data.id, `v${data.version}`))).toMatchObject({ success: false, status: 412 });
  // A change appears once all transactions that began before its commit have ended.
  await expect(async () => {
    const page = await curl(poll(base));
    expect(page.data.map(({ id }) => id)).toEqual([data.id]);
    expect(page.meta.pagination).toMatchObject({ resume_cursor: expect.any(String) });
  }).toPass({ timeout: 30_000 });
});

test('rejected requests look as documented', async ({ context }) => {
  await owner(context);
  const headers = { authorization: `Bearer ${await newToken(context)}`, 'content-type': 'application/json' };
  const invalid = await fetch(`${baseUrl()}/api/v1/tickets`, { method: 'POST', headers, body: '{"priority":"now"}' });
  actual.problem = await invalid.json();
  let limited: Response | undefined;
  for (let sent = 1; sent < 1_100 && limited === undefined; sent += 25) {
    const answers = await Promise.all(Array.from({ length: 25 }, () => fetch(`${baseUrl()}/api/v1/tickets?limit=1`, { headers })));
    limited = answers.find(({ status }) => status === 429);
    await Promise.all(answers.filter((each) => each !== limited).map((each) => each.arrayBuffer()));
  }
  actual.limited = await limited?.json();
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-used', 'ratelimit-policy'];
  expect(names.map((name) => limited?.headers.get(name))).toEqual(['1000', '0', '1000', '"rest_api";q=1000;w=60']);
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  if (process.env.RECORD_RESPONSES) return;
  expect(differences(recorded.problem, actual.problem)).toEqual([]);
  expect(differences(recorded.limited, actual.limited)).toEqual([]);
});

test('retries wait for as long as the server requests', async () => {
  let answered = 0;
  const server = createServer((request, response) => {
    answered += 1;
    const isRetried = answered % 2 === 0;
    expect(request.headers.authorization).toBe('Bearer secret');
    response.writeHead(isRetried ? 200 : 429, { 'retry-after': '1' }).end('done');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const samples: [Language, string][] = [
    ['typescript', `${backoffTypescript(base)}\nconsole.log(await (await callTandem('/tickets')).text());`],
    ['python', `${backoffPython(base)}\nprint(call_tandem("/tickets").read().decode())`],
  ];
  for (const [language, code] of samples) {
    const begun = Date.now();
    expect((await start(language, code, { TANDEM_TOKEN: 'secret' })).trim()).toBe('done');
    expect(Date.now() - begun).toBeGreaterThan(1_000);
  }
  expect(answered).toBe(4);
  await new Promise((resolve) => server.close(resolve));
});

test('samples in TypeScript have no type errors', async () => {
  const base = 'https://acme.tandem.example/api/v1';
  const files = [backoffTypescript(base), ...calls.map((each) => sampleOf(each, 'typescript', base))].map((code, at) => {
    const file = join(directory, `typed-${at}.mts`);
    writeFileSync(file, code);
    return file;
  });
  const compiler = join(repository, 'node_modules/typescript-native/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext', '--types', 'node'];
  await run(process.execPath, [compiler, ...options, '--typeRoots', join(repository, 'node_modules/@types'), ...files]);
});

const started: ChildProcess[] = [];
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

/** Starts a command that runs until the end of the test. */
function startInBackground(command: string, env: Record<string, string>) {
  // `exec`, so that the signal at the end reaches the program and not the shell.
  const child = spawn('sh', ['-c', command.replace(/^((?:\w+=\S+ )*)/, '$1exec ')], { cwd: directory, env });
  started.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  return output;
}

test('the steps of “Build with Tandem”', async ({ context }) => {
  const portal = await createPortal(context);
  const base = `${portal}/api/v1`;
  const token = await newToken(context, ['tickets:read', 'tickets:write']);
  const curl = async (code: string) => JSON.parse(await start('curl', code, { TANDEM_TOKEN: token })) as Answer;
  expect(await curl(firstRequest(base))).toMatchObject({ success: true, data: [], meta: { pagination: { total: 0 } } });
  const { data } = await curl(createTicket(base));
  expect(data).toMatchObject({ ticket_number: expect.any(String), status: 'open', channel: 'api' });
  expect(await curl(firstRequest(base))).toMatchObject({ data: [{ id: data.id }], meta: { pagination: { total: 1 } } });

  // Does what a reader does, but installs into the directory of the test, without a network. The dependencies are already there.
  const env = {
    PATH: [join(directory, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    XDG_CONFIG_HOME: directory,
    npm_config_prefix: directory,
    npm_config_cache: join(directory, 'npm-cache'),
    npm_config_pack_destination: directory,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  const [, build = '', pack = '', install = ''] = installCommand.split('\n');
  await run('sh', ['-c', `${build} && ${pack}`], { cwd: repository, env });
  await run('sh', ['-c', install], { cwd: directory, env });
  const login = `printf '%s' "$TANDEM_TOKEN" | ${signIn(baseUrl())}`;
  const { stderr } = await run('sh', ['-c', login], { cwd: directory, env: { ...env, TANDEM_TOKEN: token } });
  expect(stderr).toContain('You are signed in');

  const port = String(await freePort());
  const listening = startInBackground(listen.replace('4000', port), env);
  const [secretLine = '', forwardingLine = ''] = listenStarted.split('\n');
  await expect.poll(() => listening.stderr).toContain(forwardingLine.replace('4000', port));
  expect(listening.stderr).toContain(secretLine.replace('…', ''));
  const secret = /whsec_\S+/.exec(listening.stderr)![0];
  const events = () =>
    listening.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  /** The stream and the receiver need a moment to start, so this creates tickets until a request has this outcome. */
  const createUntil = async (outcome: object) =>
    expect(async () => {
      await curl(createTicket(base));
      await expect.poll(events, { timeout: 2_000 }).toContainEqual(expect.objectContaining({ event: 'ticket.created', ...outcome }));
    }).toPass({ timeout: 30_000 });
  const shown = undelivered.split('\n').map((line) => line.split(/ {2,}/) as [string, string]);
  await createUntil({ error: Object.fromEntries(shown).error });
  // A terminal does not show null.
  expect(Object.keys(events()[0]!).filter((name) => events()[0]![name] !== null)).toEqual(shown.map(([name]) => name));

  const { file, code, run: runReceiver } = verificationSnippets('your-endpoint').find(({ value }) => value === 'node')!;
  writeFileSync(join(directory, file), code);
  const receiving = startInBackground(runReceiver.replace('whsec_…', secret), { ...env, PORT: port });
  await createUntil({ status: 204 });
  await expect.poll(() => receiving.stdout).toContain('ticket.created');
});

test('an assistant connects as “Build with Tandem” shows', async ({ context }) => {
  await createOrganization(context);
  const token = await newToken(context, ['mcp', 'tickets:read']);
  const [, url = '', authorization = ''] = /(http\S+) --header "Authorization: (.*)"$/.exec(connectAssistant(baseUrl()))!;
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: authorization.replace('tnd_live_…', token) };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search_tickets');
  await client.close();
});

test.afterAll(() => {
  if (process.env.RECORD_RESPONSES) writeFileSync(recordedFile, `${JSON.stringify(normalized(actual), null, 2)}\n`);
});

/** Replaces what differs from run to run. */
function normalized(value: unknown): unknown {
  // The ticket and the organization first, as in the samples.
  const { id, organization_id } = (value as Record<string, { data: { id: string; organization_id: string } }>)['create-ticket']!.data;
  const ids = [id, organization_id];
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `01932d5c-0000-7000-8000-${String(ids.indexOf(id) + 1).padStart(12, '0')}`;
    })
    .replace(/2\d{3}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-23T09:00:00.000Z')
    .replace(/"request_id":"[^"]+"/g, '"request_id":"req-01932d5c9a4e"')
    .replace(/"subdomain":"[^"]+"/g, '"subdomain":"acme"')
    .replace(/"next_cursor":"[^"]+"/g, '"next_cursor":"WyIyMDI2LTExLTIzIl0"')
    .replace(/https?:\/\/(?:[\w-]+\.)?localhost(?::\d+)?/g, 'https://acme.tandem.example')
    .replace(/Northwind Coffee [\w-]+/g, 'Acme')
    .replace(/northwind-coffee-[\w-]+/g, 'acme')
    .replace(/"NOR\b/g, '"ACM');
  return JSON.parse(text) as unknown;
}
