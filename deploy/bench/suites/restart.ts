import { mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../local/build.ts';
import { LocalApp, type ProcessName } from '../../local/local-app.ts';
import { startInfrastructure } from '../../local/infrastructure.ts';
import { localDirectory } from '../../local/local-directory.ts';
import { line, step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { shown, spread } from '../statistics.ts';

const victims: ProcessName[] = ['tickets', 'gateway', 'identity', 'notifications', 'integrations', 'analytics'];
const rounds = 5;

/** Milliseconds since the SIGKILL; `cpu` is the CPU time of the new process until it was ready. */
interface Restart {
  spawned: number;
  listening: number;
  ready: number;
  /** When a customer's request through the gateway gets a response other than 503. */
  answers: number;
  cpu: number;
}

/** Kills each process several times in a row and measures its downtime. Prints figures; slow ones do not make it fail. */
export async function restartSuite(signal: AbortSignal): Promise<Report> {
  await step('build', () => build(localDirectory(), signal));
  const directory = mkdtempSync(join(tmpdir(), 'tandem-bench-restart-'));
  const infrastructure = await startInfrastructure({ directory, ephemeral: true, log: line });
  const app = new LocalApp(directory, () => undefined);
  try {
    await app.configure(infrastructure.env);
    Object.assign(app.env, { LOG_LEVEL: 'warn', RATE_LIMIT_API_PER_MINUTE: '1000000' });
    await app.migrate(signal);
    await app.start();
    await app.command('demo', signal);
    const restarts: Partial<Record<ProcessName, Restart[]>> = {};
    for (const victim of victims) {
      const measured: Restart[] = (restarts[victim] = []);
      for (let round = 0; round < rounds; round++) {
        signal.throwIfAborted();
        measured.push(await killOnce(app, victim));
      }
    }
    return report(restarts);
  } finally {
    await app.stop();
    await infrastructure.stop();
  }
}

async function killOnce(app: LocalApp, victim: ProcessName): Promise<Restart> {
  await app.untilReady();
  await until(() => answers(app));
  const port = Number(victim === 'gateway' ? app.env.PORT : app.env[`${victim.toUpperCase()}_PORT`]);
  const pid = () => app.processes.find(({ name }) => name === victim)?.pid;
  const old = pid();
  const begun = performance.now();
  const after = async (isSo: () => Promise<boolean>) => {
    await until(isSo);
    return performance.now() - begun;
  };
  await app.kill(victim, 'SIGKILL');
  const [spawned, listening, [ready, cpu], answering] = await Promise.all([
    after(async () => pid() !== undefined && pid() !== old),
    after(() => accepts(port)),
    after(async () => (await statusOf(port, '/health/ready')) === 200).then((ms) => [ms, cpuOf(pid())] as const),
    after(() => answers(app)),
  ]);
  return { spawned, listening, ready, answers: answering, cpu };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 120_000; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error('Not ready after two minutes');
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Reads a ticket that does not exist: 404 comes from the tickets service. */
async function answers(app: LocalApp): Promise<boolean> {
  const path = `/api/v1/public/tickets/${crypto.randomUUID()}?email=bench@example.com`;
  return (await statusOf(Number(app.env.PORT), path, `northwind.localhost:${app.env.PORT}`)) === 404;
}

/** Returns 0 if there is no response. Uses a new connection each time, as after a crash. */
const statusOf = (port: number, path: string, host = `localhost:${port}`): Promise<number> =>
  new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false, timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(0));
    asked.end();
  });

/** CPU time so far in milliseconds: user and system, in ticks of 10 ms (proc(5)). */
function cpuOf(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function report(restarts: Partial<Record<ProcessName, Restart[]>>): Report {
  const columns = ['spawned', 'listening', 'ready', 'answers', 'cpu'] as const;
  const rows = Object.entries(restarts).map(([victim, measured]) => [
    victim,
    ...columns.map((column) => shown(spread(measured.map((each) => each[column])), 0)),
    measured.map(({ answers: ms }) => Math.round(ms)).join(', '),
  ]);
  const load = loadavg()[0]!.toFixed(1);
  return {
    tables: [
      {
        title: `After kill -9, ms: median (quartiles) of ${rounds} kills in a row; ${cpus().length} cores, load ${load}. Goal: customers get responses within 5000 ms`,
        columns: ['process', 'spawned', 'listening', 'ready', 'customers get responses', 'cpu until ready', 'each'],
        rows,
      },
    ],
    figures: restarts,
  };
}
