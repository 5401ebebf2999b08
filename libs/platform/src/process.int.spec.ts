import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { agentContext, goodEnv } from '../test/fixtures';
import { newApiTokenValue } from './api-token-value';
import type { Env } from './config';
import { contextHeader, signContext } from './context';

const folder = join(__dirname, '../test/sample');
const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { version: string };
const bundler = join(dirname(require.resolve('rolldown/package.json')), 'bin/cli.mjs');
const command = ['--max-semi-space-size=8', '--heap-growing-percent=100', '--require', './dist/otel.js', 'dist/main.js'];
const invitation = 'qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ';

/** Runs the bundle as a process, as a container image does. */
class SampleProcess {
  output = '';
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(env: Env) {
    this.child = spawn(process.execPath, command, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...goodEnv(), NODE_ENV: 'production', LOG_LEVEL: 'info', ...env },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** The address it listens on, read from its log. */
  async url(): Promise<string> {
    for (let tries = 0; tries < 1_600; tries++) {
      const found = /"url":"([^"]+)"/.exec(this.output)?.[1];
      if (found) return found;
      if (this.child.exitCode !== null) break;
      await sleep(25);
    }
    throw new Error(`It did not start:\n${this.output}`);
  }
}

const started: SampleProcess[] = [];
function run(env: Env = {}): SampleProcess {
  const sample = new SampleProcess(env);
  started.push(sample);
  return sample;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** One more than in the API. */
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
/** An OpenTelemetry collector that stores the spans it receives. */
class Collector {
  readonly spans: OtlpSpan[] = [];
  resource: Record<string, string | undefined> = {};
  raw = '';
  readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      this.raw += text;
      const { resourceSpans } = JSON.parse(text) as {
        resourceSpans: { resource: Pick<OtlpSpan, 'attributes'>; scopeSpans: { spans: OtlpSpan[] }[] }[];
      };
      this.resource = Object.fromEntries(resourceSpans[0]!.resource.attributes.map(({ key, value }) => [key, value.stringValue]));
      this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

beforeAll(() => {
  const built = spawnSync(process.execPath, [bundler, '-c', '../../../../rolldown.config.mjs'], { cwd: folder, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The bundle failed:\n${built.stdout}${built.stderr}`);
});
afterAll(async () => {
  for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

describe('a bundled process', () => {
  it('injects by type, answers requests in flight after SIGTERM, and exits with 0', async () => {
    const sample = run({ SHUTDOWN_NOTICE_MS: '1500' });
    const url = await sample.url();
    expect(await (await fetch(`${url}/clock`)).json()).toEqual({ now: 'early' });
    const slow = fetch(`${url}/slow/2000`);
    await sleep(100);
    sample.child.kill('SIGTERM');
    let now = 'early';
    while (now === 'early') ({ now } = (await (await fetch(`${url}/clock`)).json()) as { now: string });
    expect(now).toBe('late');
    expect((await slow).status).toBe(200);
    expect(await sample.ended).toBe(0);
    expect(sample.output).toContain('"msg":"Stopped"');
  });

  it('starts to run jobs once it is ready', async () => {
    const sample = run();
    await sample.url();
    while (!sample.output.includes('Jobs have started')) {
      expect(sample.child.exitCode).toBeNull();
      await sleep(25);
    }
    sample.child.kill('SIGTERM');
    expect(await sample.ended).toBe(0);
  });

  it('prints all problems of its configuration and exits 1', async () => {
    const sample = run({ CONTEXT_SECRET: 'short', NATS_URL: '', TICKETS_PORT: 'x' });
    expect(await sample.ended).toBe(1);
    expect(sample.output).toContain('tickets cannot start:');
    for (const name of ['CONTEXT_SECRET', 'NATS_URL', 'TICKETS_PORT']) expect(sample.output).toContain(`  - ${name} `);
  });

  it('logs an uncaught exception without its secret, and the requests before it, and exits with 1', async () => {
    const sample = run({ LOG_LEVEL: 'debug' });
    await fetch(`${await sample.url()}/clock`);
    await fetch(`${await sample.url()}/crash`, { method: 'POST' }).catch(() => undefined);
    expect(await sample.ended).toBe(1);
    expect(sample.output).toContain('"route":"/clock"');
    expect(sample.output).toMatch(/"level":"fatal".*nobody catches this/);
    expect(sample.output).toContain('main.ts'); // the source map
    expect(sample.output).not.toContain('hunter2');
  });

  it('writes one line for each request: the route, never the address', async () => {
    const sample = run({ LOG_LEVEL: 'debug' });
    await fetch(`${await sample.url()}/invitations/${invitation}?email=ann@example.org`);
    sample.child.kill('SIGTERM');
    await sample.ended;
    expect(sample.output).toMatch(/"method":"GET","route":"\/invitations\/:token","status":200,"duration_ms":[\d.]+,"msg":"request"/);
    expect(sample.output).not.toMatch(new RegExp(`${invitation}|ann@`));
  });

  it('names an API token by its id, never by its value', async () => {
    const CONTEXT_SECRET = 'a-secret-of-this-test-that-is-long-enough';
    const sample = run({ CONTEXT_SECRET, LOG_LEVEL: 'debug' });
    const [value, token_id] = [newApiTokenValue(), '0192f0c1-0000-7000-8000-0000000000f1'];
    const actor = { type: 'token', token_id, name: 'Importer', permissions: ['tickets:read'], via: 'api' } as const;
    const ctx = { ...agentContext, actor: { ...actor, permissions: [...actor.permissions] } };
    const headers = { authorization: `Bearer ${value}`, [contextHeader]: signContext(ctx, CONTEXT_SECRET) };
    await fetch(`${await sample.url()}/clock?token=${value}`, { headers });
    sample.child.kill('SIGTERM');
    await sample.ended;
    expect(sample.output).toMatch(new RegExp(`"organization_id":"${agentContext.organization_id}","token_id":"${token_id}"`));
    expect(sample.output).not.toContain(value);
  });
});

describe('telemetry', () => {
  it('sends the spans of a request, named after its route, in the caller’s trace, without tokens and queries', async () => {
    const collector = new Collector();
    const endpoint = await collector.listen();
    const sample = run({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0' });
    const url = await sample.url();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const caller = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    await fetch(`${url}/clock`); // not sampled: the ratio is 0 and no caller decided otherwise
    await fetch(`${url}/health/live`, { headers: caller });
    const answer = await fetch(`${url}/invitations/${invitation}?email=ann@example.org`, { headers: caller });
    const receiver = createServer((_request, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    await fetch(`${url}/calls/${(receiver.address() as AddressInfo).port}`, { headers: caller });
    receiver.close();
    expect(((await answer.json()) as { traceparent: string }).traceparent).toContain(traceId);
    sample.child.kill('SIGTERM');
    await sample.ended; // on exit it sends the spans that are still in memory
    collector.server.close();
    const server = collector.spans.find(({ name }) => name === 'GET /invitations/:token');
    const inner = collector.spans.find(({ name }) => name === 'look-up');
    expect(server).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(inner).toMatchObject({ traceId, parentSpanId: server?.spanId });
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(collector.raw).not.toMatch(new RegExp(`health|${invitation}|ann@`));
    const outgoing = collector.spans.find(({ kind }) => kind === SpanKind.CLIENT + 1);
    expect(outgoing).toMatchObject({
      name: 'GET',
      traceId,
      parentSpanId: collector.spans.find(({ name }) => name === 'GET /calls/:port')?.spanId,
    });
    const valueOf = (key: string) => outgoing?.attributes.find((attribute) => attribute.key === key)?.value;
    expect([valueOf('server.address'), valueOf('http.response.status_code')]).toEqual([{ stringValue: '127.0.0.1' }, { intValue: 204 }]);
    expect(collector.raw).not.toContain('secret-of-a-customer');
    expect(collector.resource).toMatchObject({ 'service.name': 'tandem-sample', 'service.version': version });
    expect(collector.resource['service.instance.id']).toMatch(/-\d+$/);
  });

  it('loads nothing without a collector', () => {
    const script = "require('./dist/otel.js'); console.log(Object.keys(require.cache).length)";
    const { stdout } = spawnSync(process.execPath, ['-e', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    });
    expect(stdout.trim()).toBe('1');
  });

  it('serves metrics by route on a separate port', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const sample = run({ TICKETS_METRICS_PORT: String(port) });
    const url = await sample.url();
    await fetch(`${url}/clock`);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toMatch(/tandem_http_request_duration_seconds_count\{.*method="GET",route="\/clock",status="200".*\} 1/);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    // The second scrape has the delays since the first; the sampling timer runs before and after the busy time.
    for (const path of ['slow/100', 'busy/300', 'slow/100']) await fetch(`${url}/${path}`);
    const second = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const valueOf = (series: string) =>
      Number(
        second
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(valueOf('tandem_event_loop_delay_seconds{process="tickets",quantile="1"}')).toBeGreaterThan(0.25);
    expect(valueOf('tandem_event_loop_utilization_ratio{process="tickets"}')).toBeGreaterThan(0);
    for (const kind of ['rss', 'heap'])
      expect(valueOf(`tandem_process_memory_bytes{process="tickets",kind="${kind}"}`)).toBeGreaterThan(2 ** 20);
    expect(valueOf('tandem_process_memory_limit_bytes{process="tickets",kind="heap"}')).toBeGreaterThan(2 ** 26);
    expect(valueOf('tandem_process_starts_total{process="tickets"}')).toBe(1);
    expect(valueOf('tandem_dependency_up{process="tickets",dependency="sample"}')).toBe(1);
    sample.child.kill('SIGTERM');
    expect(await sample.ended).toBe(0);
  });
});
