import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verify } from '@node-rs/argon2';
import { rolldown } from 'rolldown';
import { repository } from '../../local/local-directory.ts';
import { projectNode } from '../../local/mailbox.ts';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { organizations, passwordHash } from '../seed.ts';
import { expect } from '../session.ts';
import { quantile, shown, spread } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';

const run = promisify(execFile);
const signIns = 150;
const warmUps = 20;
const tabs = 100;
const refreshRounds = 5;
const people = organizations.flatMap((organization) => organization.people);

interface Pair {
  product: number;
  bare: number;
}
/** Microseconds per request, in each slice. */
interface GuardCosts {
  session: number[];
  token: number[];
}
interface RefreshRound {
  /** The time until the last tab received its response. */
  all: number;
  each: number[];
}

/** Compares signing in with verifying a password alone, refreshes a hundred tabs at once, and measures the cost of identifying the caller of a request. */
export async function signInSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  try {
    for (let i = 0; i < warmUps; i++) await onePair(system, i);
    const pairs = await step(`${signIns} sign-ins, one at a time`, () => inTurn(signIns, (i) => onePair(system, i)));
    const refreshed = await step(`${tabs} tabs refresh at once, ${refreshRounds} times`, () =>
      inTurn(refreshRounds, (i) => refreshTabs(system, i)),
    );
    const checks = await step('the caller of a request', () => guardCosts(system));
    return report(pairs, refreshed, checks);
  } finally {
    await system.stop();
  }
}

async function inTurn<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await work(i));
  return results;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now();
  const result = await work();
  return { ms: performance.now() - begun, result };
}

/** Measures both directly after each other, so that a noisy moment affects both. */
async function onePair(system: BenchSystem, i: number): Promise<Pair> {
  system.signal.throwIfAborted();
  const person = people[i % people.length]!;
  const bare = await timed(() => verify(passwordHash, person.password));
  expect('bare verification', bare.result, true);
  const product = await timed(() => signIn(system, person));
  return { product: product.ms, bare: bare.ms };
}

async function signIn(system: BenchSystem, person: { email: string; password: string }): Promise<string[]> {
  const answer = await fetch(`${system.gatewayOrigin}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  await answer.arrayBuffer();
  expect(`status of the sign-in of ${person.email}`, answer.status, 200);
  return answer.headers.getSetCookie().map((line) => line.split(';')[0]!);
}

/** Refreshes the tabs of one browser, each with the cookies from before the first response. */
async function refreshTabs(system: BenchSystem, i: number): Promise<RefreshRound> {
  const cookies = await signIn(system, people[i % people.length]!);
  const csrf = decodeURIComponent(cookies.find((cookie) => cookie.startsWith('tandem_csrf='))!.slice('tandem_csrf='.length));
  const headers = { 'content-type': 'application/json', cookie: cookies.join('; '), 'x-csrf-token': csrf };
  const refresh = () =>
    timed(async () => {
      const answer = await fetch(`${system.gatewayOrigin}/api/v1/auth/refresh`, { method: 'POST', headers, body: '{}' });
      await answer.arrayBuffer();
      expect('status of a refresh', answer.status, 200);
      return answer.headers.getSetCookie().some((line) => line.startsWith('tandem_refresh='));
    });
  const { ms, result } = await timed(() => Promise.all(Array.from({ length: tabs }, refresh)));
  expect('rotations', result.filter(({ result: rotated }) => rotated).length, 1);
  return { all: ms, each: result.map((one) => one.ms) };
}

/** Runs the gateway's own guards, bundled like the gateway, because Node alone does not support decorators. */
async function guardCosts(system: BenchSystem): Promise<GuardCosts> {
  const file = join(system.directory, 'guard-costs.cjs');
  const bundle = await rolldown({
    input: join(import.meta.dirname, '..', 'guard-costs.ts'),
    platform: 'node',
    external: (id) => !/^(\.|\/|\0|@tandem\/|@oxc-project\/runtime\/)/.test(id),
    tsconfig: join(repository, 'tsconfig.base.json'),
    transform: { target: 'node24', define: { __PROCESS__: '"bench"' } },
  });
  await bundle.write({ file, format: 'cjs' });
  await bundle.close();
  const { stdout } = await run(projectNode(), [file], { signal: system.signal, env: { ...process.env, NODE_OPTIONS: '' } });
  return JSON.parse(stdout) as GuardCosts;
}

function report(pairs: Pair[], refreshed: RefreshRound[], checks: GuardCosts): Report {
  const row = (name: string, figures: number[]) => [name, ...[0.5, 0.9, 0.99].map((q) => quantile(figures, q).toFixed(1))];
  return {
    tables: [
      {
        title: `Signing in by HTTP, one at a time, compared with the same Argon2id verification alone: ms of ${signIns}`,
        columns: ['', 'p50', 'p90', 'p99'],
        rows: [
          row('sign-in', pairs.map(({ product }) => product)),
          row('verification alone', pairs.map(({ bare }) => bare)),
          row('the rest', pairs.map(({ product, bare }) => product - bare)),
        ], // prettier-ignore
      },
      {
        title: `${tabs} tabs that refresh at once, one rotation: ms, ${refreshRounds} times`,
        columns: ['', 'p50', 'p90', 'p99'],
        rows: [row('a tab', refreshed.flatMap(({ each }) => each)), row('all of them', refreshed.map(({ all }) => all))], // prettier-ignore
      },
      {
        title: 'Authentication and permission check: the guards of one request, µs: median [quartiles] of 20 slices',
        columns: ['', 'µs'],
        rows: [
          ['session and role', shown(spread(checks.session), 1)],
          ['API token and permission', shown(spread(checks.token), 1)],
        ],
      },
    ],
    figures: { pairs, refreshed, checks },
    goals: [
      {
        id: 'G10',
        work: 'session check and token check',
        measured: spread(checks.session).median + spread(checks.token).median,
        limit: 40,
        unit: 'µs',
      },
    ],
  };
}
