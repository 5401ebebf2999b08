import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../local/local-directory.ts';
import { mustRun } from '../../local/run.ts';
import { seconds, step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { removeDirectory } from '../bench-system.ts';

/** The times of one `npm start`, in seconds. */
interface Start {
  ready: number;
  steps: Record<string, number>;
}

/** Runs `npm start` in a fresh clone of the committed state, twice, and then twice with all services in one process. */
export async function startSuite(signal: AbortSignal): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-bench-start-'));
  chmodSync(directory, 0o755); // PostgreSQL may have to run as another user
  const clone = join(directory, 'tandem');
  try {
    const logFile = join(directory, 'clone.log');
    await step('fresh clone', () => mustRun('git clone', 'git', ['clone', '-q', repository, clone], { cwd: directory, logFile, signal }));
    const first = await step('first npm start', () => start(clone, signal));
    const second = await step('second npm start', () => start(clone, signal));
    const inOneProcess = () => start(clone, signal, ['--', '--one-process']);
    const firstSingle = await step('first npm start in one process', inOneProcess);
    const single = await step('second npm start in one process', inOneProcess);
    return report(first, second, firstSingle, single);
  } finally {
    removeDirectory(join(clone, '.local'));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs `npm start` until it reports that Tandem is ready, then stops it with Ctrl-C. */
async function start(clone: string, signal: AbortSignal, args: string[] = []): Promise<Start> {
  const begun = performance.now();
  const child = spawn('npm', ['start', ...args], { cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: ownEnv() });
  const end = () => void (child.exitCode === null && process.kill(-child.pid!, 'SIGINT'));
  signal.addEventListener('abort', end);
  let output = '';
  let ready: number | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (ready !== undefined || !output.includes('Tandem is ready')) return;
      ready = (performance.now() - begun) / 1000;
      setTimeout(end, 500); // wait for the rest of the output
    });
  }
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (ready === undefined) throw new Error(`npm start did not become ready:\n${output.slice(-2000)}`);
  const steps = [...output.matchAll(/✓ (.+?) {2}([\d.]+) s/g)].map(([, name, took]) => [name!, Number(took)] as const);
  return { ready, steps: Object.fromEntries(steps) };
}

/** The environment of a user's shell: without this run's npm variables and without URLs that would replace the clone's own servers. */
function ownEnv(): NodeJS.ProcessEnv {
  const given = /^(npm_|INIT_CWD$|NODE_OPTIONS$|NODE_ENV$|PORT$|PG_ADMIN_URL$|NATS_URL$|REDIS_URL$|SMTP_URL$|MAILBOX_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !given.test(name)));
}

function report(...starts: [first: Start, second: Start, firstSingle: Start, single: Start]): Report {
  const [first, second, firstSingle, single] = starts;
  const names = [...new Set(starts.flatMap(({ steps }) => Object.keys(steps)))];
  const cell = (took: number | undefined) => (took === undefined ? '' : seconds(took * 1000));
  const goals: Record<string, string> = { 'services and gateway': '≤ 4 s' };
  const withoutDependencies = ({ ready, steps }: Start) => ready - (steps['dependencies'] ?? 0);
  return {
    tables: [
      {
        title: 'npm start in a fresh clone (infrastructure starts while the build runs)',
        columns: ['', 'first', 'second', 'one process, first', 'second', 'goal'],
        rows: [
          ['from the command to ready', ...starts.map(({ ready }) => cell(ready)), 'second: a few seconds'],
          ['the same without npm ci', ...starts.map((each) => cell(withoutDependencies(each))), ''],
          ...names.map((name) => [`  ${name}`, ...starts.map(({ steps }) => cell(steps[name])), goals[name] ?? '']),
        ],
      },
    ],
    figures: { first, second, firstSingle, single },
    goals: [
      { id: 'G12', work: 'all processes ready', measured: second.steps['services and gateway'] ?? NaN, limit: 4, unit: 's' },
      { id: 'G12', work: 'one process ready', measured: single.steps['services and gateway'] ?? NaN, limit: 1, unit: 's' },
    ],
  };
}
