/**
 * `npm start`, after the dependencies are installed: starts servers, build, databases, services and demo data, and supervises them until
 * Ctrl-C.
 */
import { announcement, type SignIn } from './announcement.ts';
import { build } from './build.ts';
import { connectDemo } from './demo-task-tool.ts';
import { LocalApp } from './local-app.ts';
import { startInfrastructure, type Infrastructure } from './infrastructure.ts';
import { localDirectory, repository } from './local-directory.ts';
import { askHolder, takeLock, tryLock, type Lock } from './lock.ts';
import { reason } from './reason.ts';
import { readState, updateState } from './state.ts';
import { line, seconds, step } from './steps.ts';

const directory = localDirectory();
const lockName = `start ${repository}`;
const stopRequested = new AbortController();
const app = new LocalApp(directory, line, { webhookSink: true, oneProcess: process.argv.includes('--one-process') });
let infrastructure: Promise<Infrastructure> | undefined;
let lock: Lock | undefined;
let firstSignalAt = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal());
// start.mjs has exited, killed before it could send a signal.
process.on('disconnect', () => onSignal());

async function main(): Promise<void> {
  const begun = Date.now();
  lock = await lockOrSayWhere();
  if (!lock) return;
  await app.endOrphans();
  // The servers start (or are downloaded) while the build uses the CPU.
  infrastructure = startInfrastructure({ directory, ephemeral: false, log: (text) => line(`    ${text}`) });
  infrastructure.catch(() => {}); // reported by the step that waits for it
  await step('build', async (setResult) => ((await build(directory, stopRequested.signal)) ? undefined : setResult('nothing has changed')));
  const { env } = await step('infrastructure: PostgreSQL, NATS, Redis, mailbox', () => infrastructure!);
  await step('databases and migrations', async (setResult) => {
    await app.configure(env);
    app.startStandIns();
    const applied = await app.migrate(stopRequested.signal);
    setResult(applied.length ? `${applied.length} applied` : 'up to date');
  });
  await step('services and gateway', () => app.start());
  const signIns = await step('demo data', demoData);
  const admin = signIns.find(({ role }) => role === 'admin');
  if (admin && app.taskToolPort) await step('task tool', () => connectDemo(app.publicUrl, admin));
  const started = { mailbox: env.MAILBOX_URL, signIns, tookMs: Date.now() - begun, directory };
  for (const text of announcement(app, started)) line(text);
  lock.setMessage(app.publicUrl);
  if (admin) await demoHistory();
}

/** Returns undefined and prints the address if Tandem already runs from this clone. */
async function lockOrSayWhere(): Promise<Lock | undefined> {
  const free = await tryLock(lockName);
  if (free) return free;
  line('  Tandem is already being started from this clone: waiting');
  for (let held = await askHolder(lockName); held; held = await askHolder(lockName)) {
    if (held.message.startsWith('http')) {
      line(`Tandem is already running: ${held.message} (process ${held.pid})`);
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return takeLock(lockName, 'this clone', 30_000);
}

async function demoData(setResult: (note: string) => void): Promise<SignIn[]> {
  const { cluster, demoIn, demoSignIns } = readState(directory);
  if (demoIn && demoIn === cluster) {
    setResult('already present');
    return demoSignIns ?? [];
  }
  if (process.argv.includes('--empty')) {
    setResult('skipped');
    return [];
  }
  const { sign_ins } = JSON.parse(await app.command('demo', stopRequested.signal)) as { sign_ins: SignIn[] };
  updateState(directory, (state) => Object.assign(state, { demoIn: state.cluster, demoSignIns: sign_ins }));
  return sign_ins;
}

/** Added after Tandem is ready, because it takes some seconds. After an interruption the next start continues. */
async function demoHistory(): Promise<void> {
  if (readState(directory).demoHistoryIn === readState(directory).cluster) return;
  try {
    await app.command('demo', stopRequested.signal, 'history');
    updateState(directory, (state) => Object.assign(state, { demoHistoryIn: state.cluster }));
    line('  The demo’s history of 90 days has been added: see Analytics.');
  } catch (error) {
    if (!stopRequested.signal.aborted) line(`  The demo’s history could not be added: ${reason(error)}`);
  }
}

function onSignal(): void {
  if (firstSignalAt) {
    // A single Ctrl-C may arrive twice (from the terminal and from npm) within 700 ms; a later one is a second request.
    if (Date.now() - firstSignalAt < 700) return;
    line('killed: the next start cleans up');
    void infrastructure?.then((servers) => servers.processes.forEach(({ name }) => void servers.kill(name, 'SIGKILL').catch(() => {})));
    app.killNow();
    setImmediate(() => process.exit(130));
    return;
  }
  firstSignalAt = Date.now();
  stopRequested.abort();
  void shutDown(0);
}

async function shutDown(code: number): Promise<void> {
  const begun = Date.now();
  if (lock) line('stopping…');
  lock?.setMessage('stopping');
  await app.stop();
  await (await infrastructure?.catch(() => undefined))?.stop();
  await lock?.release();
  if (lock) line(`stopped after ${seconds(Date.now() - begun)}`);
  process.exit(code);
}

main()
  .then(() => {
    if (!lock && !firstSignalAt) process.exit(0);
  })
  .catch((error: unknown) => {
    if (firstSignalAt) return; // stopped by the user while starting
    line(`\n${reason(error)}`);
    void shutDown(1);
  });
