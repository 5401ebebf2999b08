import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../local/local-directory.ts';
import { mustRun } from '../../local/run.ts';
import { seconds, step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import type { Report } from '../report.ts';
import { ask, expect, signIn } from '../session.ts';
import { createIn } from './cases.ts';

const rounds = 5;

/**
 * Measures how long a developer waits: from `npx tandem listen` in an empty folder, with an empty cache of npx, until the event of a ticket
 * arrives at a local program. The package comes from its file, so the figure has no download.
 */
export async function firstEventSuite(signal: AbortSignal): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-bench-sdk-'));
  const system = await BenchSystem.start(signal);
  try {
    const sdk = join(repository, 'libs', 'sdk');
    const logFile = join(directory, 'pack.log');
    await mustRun('npm pack', 'npm', ['pack', '--silent', '--pack-destination', directory], { cwd: sdk, logFile, signal });
    const tarball = join(
      directory,
      readdirSync(directory).find((name) => name.endsWith('.tgz'))!,
    );
    const session = await signIn(system.gatewayOrigin, createIn.product.people[0]!);
    const post = async <T>(path: string, body: object): Promise<T> => {
      const headers = { 'content-type': 'application/json', ...session.headers };
      const answer = await ask<T>(`${system.gatewayOrigin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(`POST ${path}`, answer.status, 201);
      return answer.data;
    };
    const { value } = await post<{ value: string }>('/api-tokens', { name: 'Benchmark' });
    const env = { TANDEM_URL: system.gatewayOrigin, TANDEM_TOKEN: value };
    const createTicket = () => post('/tickets', { subject: 'The first event', customer_email: 'first@example.com' });
    const times: Times[] = [];
    await step(`${rounds} times npx tandem listen`, async () => {
      for (let round = 0; round < rounds; round++) {
        const empty = join(directory, String(round));
        mkdirSync(empty);
        times.push(await firstEvent(empty, tarball, env, createTicket, signal));
      }
    });
    return report(times);
  } finally {
    await system.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** In milliseconds since the command. */
interface Times {
  connected: number;
  delivered: number;
}

async function firstEvent(
  folder: string,
  tarball: string,
  env: Record<string, string>,
  createTicket: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<Times> {
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const server = createServer((_request, response) => {
    response.writeHead(204).end();
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begun = performance.now();
  const args = ['--yes', '--offline', '--package', tarball, 'tandem', 'listen', '--forward-to', target, '--events', 'ticket.created'];
  const child = spawn('npx', args, {
    cwd: folder,
    detached: true,
    signal,
    env: { ...process.env, ...env, npm_config_cache: join(folder, 'cache') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const failed = new Promise<never>((_resolve, reject) =>
    child.once('error', reject).once('exit', () => reject(new Error(`npx ended: ${text}`))),
  );
  failed.catch(() => {}); // it also ends when it is killed below
  let text = '';
  try {
    const forwarding = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('Forwarding to')) resolve();
      });
    });
    await Promise.race([forwarding, failed]);
    const connected = performance.now() - begun;
    // The stream begins a moment later, and a new listener receives no earlier events.
    const timer = setInterval(() => void createTicket().catch(() => {}), 100); // a lost ticket is followed by another
    try {
      await Promise.race([arrival, failed]);
    } finally {
      clearInterval(timer);
    }
    return { connected, delivered: performance.now() - begun };
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    server.closeAllConnections();
    server.close();
  }
}

function report(times: Times[]): Report {
  const cells = (name: keyof Times) => {
    const sorted = times.map((each) => each[name]).sort((a, b) => a - b);
    return [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!].map((each) => seconds(each));
  };
  return {
    tables: [
      {
        title: `npx from an empty folder to the first delivered event, ${rounds} times (package from a file)`,
        columns: ['', 'fastest', 'median', 'slowest'],
        rows: [
          ['until it listens', ...cells('connected')],
          ['until the event of a ticket has arrived', ...cells('delivered')],
        ],
      },
    ],
    figures: times,
  };
}
