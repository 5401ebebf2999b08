import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { hostileEmails, type HostileEmail } from '../hostile-emails.ts';
import { startMailSender } from '../mail-sender.ts';
import { foreignShare, mainThreadMs, memoryOf, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizations } from '../seed.ts';
import { expect } from '../session.ts';
import { quantile } from '../statistics.ts';
import { readerOf } from './cases.ts';

const mailDomain = 'mail.bench.test';
const size = { organizations: 1, first: 1_000, each: 1_000, commented: 10, people: 5 };
/** One request at a time, at this interval, because the delay is measured and not the throughput. */
const everyMs = 5;
const quietMs = 5_000;
/** The processes are measured when V8 has compiled the code of a request: compiling takes tens of milliseconds of both processors. */
const warmUpMs = 15_000;
const warmUpClients = 16;
const rounds = 3;

/** The delays of requests, and CPU times of the main thread of tickets (`loop-probe.cjs`). */
interface Window {
  delays: number[];
  /** Used while it answered each request. */
  requestMs: number[];
  /** Used in the longest turn of its event loop. */
  longestTurnMs: number;
  /** Share of the machine that other processes used. */
  foreign: number;
}
interface Measured extends Window {
  /** Per email, from sending to the end of its processing. */
  ms: number;
  /** CPU time of the main thread per email, without that of the requests. */
  mainThreadMs: number;
}

/** Measures how long an API request takes while large and hostile emails come in and are parsed in the same service. */
export async function mailHostileSuite(signal: AbortSignal): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-loop-'));
  const probe = { file: join(directory, 'loop'), module: join(import.meta.dirname, '..', 'loop-probe.cjs') };
  const probeEnv = { NODE_OPTIONS: `--require ${probe.module}`, LOOP_PROBE_SERVICE: 'tickets', LOOP_PROBE_FILE: probe.file };
  const system = await BenchSystem.start(signal, size, { MAIL_DOMAIN: mailDomain, ...probeEnv });
  try {
    const { headers } = await readerOf(system);
    const url = `${system.gatewayOrigin}/api/v1/tickets?limit=25`;
    const measure = (work: Promise<unknown>) => measureDuring(system, probe.file, () => delaysDuring(url, headers, work));
    const warmUp = sleep(warmUpMs);
    await Promise.all(Array.from({ length: warmUpClients }, () => delaysDuring(url, headers, warmUp)));
    const before = memoryOf(system.product).tickets ?? 0;
    const { pid } = system.product.find(({ name }) => name === 'tickets')!;
    const idle = mainThreadMs(pid);
    const quiet = await step('no email', () => measure(sleep(quietMs)));
    /** Main thread per request. */
    const request = (mainThreadMs(pid) - idle) / quiet.delays.length;
    const busy: Record<string, Window> = {};
    for (const priority of ['usual', 'low'] as const)
      busy[priority] = await step(`a busy thread of ${priority} priority`, () => measure(keepBusy(priority)));
    const measured: Record<string, Measured> = {};
    let n = 0;
    for (const kind of Object.keys(hostileEmails) as HostileEmail[]) {
      const send = await sender(
        system,
        kind,
        Array.from({ length: rounds }, () => n++),
      );
      const [begun, used] = [performance.now(), mainThreadMs(pid)];
      const window = await step(kind, () => measure(send()));
      const ms = (performance.now() - begun) / rounds;
      measured[kind] = { ...window, ms, mainThreadMs: (mainThreadMs(pid) - used - window.delays.length * request) / rounds };
    }
    const after = memoryOf(system.product).tickets ?? 0;
    return report(quiet, busy, measured, { before, after });
  } finally {
    await system.stop();
    rmSync(directory, { recursive: true });
  }
}

/** Adds the CPU times that the probe has recorded during `work`. It writes twice a second. */
async function measureDuring(system: BenchSystem, file: string, work: () => Promise<number[]>): Promise<Window> {
  const [from, before] = [Date.now(), readCpu(system.product)];
  const delays = await work();
  const [to, foreign] = [Date.now(), foreignShare(before, readCpu(system.product), cpus().length)];
  await sleep(1_000);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const recorded = lines.map((line) => line.split(' ')).filter(([, at]) => Number(at) >= from && Number(at) <= to);
  const times = (kind: string) => recorded.filter(([each]) => each === kind).map(([, , ms]) => Number(ms));
  return { delays, requestMs: times('request'), longestTurnMs: Math.max(0, ...times('turn')), foreign };
}

/** Requests one after the other until the work is done; the time of each in milliseconds. */
async function delaysDuring(url: string, headers: Record<string, string>, work: Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    const begun = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    delays.push(performance.now() - begun);
    expect('status of a list', answer.status, 200);
    await sleep(everyMs);
  }
  await done;
  return delays;
}

/** Builds the emails, and returns a function that sends them one after the other and waits until all are processed. */
async function sender(system: BenchSystem, kind: HostileEmail, numbers: number[]): Promise<() => Promise<void>> {
  const to = `support@${organizations[0]!.id}.${mailDomain}`;
  const child = await startMailSender({ port: Number(system.env('MAIL_IN_PORT')), to, kind, numbers });
  return async () => {
    child.send('send');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect('exit code of the sender', code, 0);
    for (const deadline = Date.now() + 300_000; ; await sleep(50)) {
      system.signal.throwIfAborted();
      const [row] = await system.query<{ count: number }>(
        'tandem_tickets',
        'select count(*)::int from inbound_mails where outcome is null',
      );
      if (row!.count === 0) return;
      if (Date.now() > deadline) throw new Error(`${row!.count} emails are still unprocessed`);
    }
  };
}

/** The floor: a thread that only uses processor time, with the usual priority or with that of the threads that parse emails. */
async function keepBusy(priority: 'usual' | 'low'): Promise<void> {
  const lower = priority === 'low' && process.platform === 'linux' ? "require('node:os').setPriority(10);" : '';
  const thread = new Worker(`${lower} for (;;);`, { eval: true });
  await sleep(quietMs);
  await thread.terminate();
}

function report(
  quiet: Window,
  busy: Record<string, Window>,
  measured: Record<string, Measured>,
  memory: { before: number; after: number },
): Report {
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  const row = (name: string, { delays, requestMs, longestTurnMs, foreign }: Window, perEmail: string[]) => [
    name,
    ms(quantile(delays, 0.5)),
    ms(quantile(delays, 0.99)),
    ms(Math.max(...delays)),
    ms(quantile(requestMs, 0.99)),
    ms(longestTurnMs),
    ...perEmail,
    `${(foreign * 100).toFixed(0)} %`,
  ];
  return {
    tables: [
      {
        title: `Reading a list of tickets while ${rounds} emails of each kind come in`,
        columns: ['', 'p50', 'p99', 'max', 'main thread: CPU during a request, p99', 'longest turn', 'per email, without requests', 'per email, sent and processed', 'foreign CPU'], // prettier-ignore
        rows: [
          row('no email', quiet, ['', '']),
          ...Object.entries(busy).map(([priority, window]) => row(`no email, a busy thread of ${priority} priority`, window, ['', ''])),
          ...Object.entries(measured).map(([kind, each]) => row(kind, each, [ms(each.mainThreadMs), ms(each.ms)])),
          ['memory of tickets before, after', `${memory.before.toFixed(0)} MB`, `${memory.after.toFixed(0)} MB`, '', '', '', '', '', ''],
        ],
      },
    ],
    figures: { quiet, busy, measured, memory },
  };
}
