/**
 * `npm run bench -- [http] [layers] [events] [sign-in] [start] [scale] [search] [analytics] [web] [mail] [mail-in] [mail-hostile] [sync] [restart] [idle] [webhooks] [burst] [abuse] [tracing] [help] [import] [rules] [first-event] [first-paint] [first-minutes] [storage] [replicas] [rotation] [upgrade]`:
 * runs the named suites, by default all. Each measures floor and product side by side, prints medians, quartiles and ratios next to the goals, and
 * writes one JSON file to `.local/bench/`. Slow figures never make it fail; a wrong response does.
 *
 * `npm run bench -- goals [suite …] [--write docs/performance.md]`: runs the suites that have goals, or those that are named, even if one of
 * them fails, and prints which goals are met. The figures of the others are those of their last run with the same commit. `--write` puts that
 * table into the page.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { localDirectory, repository } from '../local/local-directory.ts';
import { reason } from '../local/reason.ts';
import { line, seconds } from '../local/steps.ts';
import { goalArguments, goalSuites, goalTable, storedGoals, withLastRun, type StoredRun } from './goals.ts';
import { print, type Report } from './report.ts';
import { abuseSuite } from './suites/abuse.ts';
import { analyticsSuite } from './suites/analytics.ts';
import { burstSuite } from './suites/burst.ts';
import { eventsSuite } from './suites/events.ts';
import { firstEventSuite } from './suites/first-event.ts';
import { firstMinutesSuite } from './suites/first-minutes.ts';
import { firstPaintSuite } from './suites/first-paint.ts';
import { helpSuite } from './suites/help.ts';
import { httpSuite } from './suites/http.ts';
import { idleSuite } from './suites/idle.ts';
import { importSuite } from './suites/import.ts';
import { layersSuite } from './suites/layers.ts';
import { mailSuite } from './suites/mail.ts';
import { mailHostileSuite } from './suites/mail-hostile.ts';
import { mailInSuite } from './suites/mail-in.ts';
import { oneProcessSuite } from './suites/one-process.ts';
import { replicasSuite } from './suites/replicas.ts';
import { restartSuite } from './suites/restart.ts';
import { rotationSuite, upgradeSuite } from './suites/rollouts.ts';
import { rulesSuite } from './suites/rules.ts';
import { scaleSuite } from './suites/scale.ts';
import { searchSuite } from './suites/search.ts';
import { signInSuite } from './suites/sign-in.ts';
import { startSuite } from './suites/start.ts';
import { storageSuite } from './suites/storage.ts';
import { syncSuite } from './suites/sync.ts';
import { tracingSuite } from './suites/tracing.ts';
import { webSuite } from './suites/web.ts';
import { webhooksSuite } from './suites/webhooks.ts';

const suites: Record<string, (signal: AbortSignal) => Promise<Report>> = {
  http: httpSuite,
  layers: layersSuite,
  events: eventsSuite,
  'sign-in': signInSuite,
  start: startSuite,
  'one-process': oneProcessSuite,
  scale: scaleSuite,
  search: searchSuite,
  analytics: analyticsSuite,
  web: webSuite,
  mail: mailSuite,
  'mail-in': mailInSuite,
  'mail-hostile': mailHostileSuite,
  sync: syncSuite,
  restart: restartSuite,
  idle: idleSuite,
  webhooks: webhooksSuite,
  burst: burstSuite,
  abuse: abuseSuite,
  tracing: tracingSuite,
  help: helpSuite,
  import: importSuite,
  rules: rulesSuite,
  'first-event': firstEventSuite,
  'first-paint': firstPaintSuite,
  'first-minutes': firstMinutesSuite,
  storage: storageSuite,
  replicas: replicasSuite,
  rotation: rotationSuite,
  upgrade: upgradeSuite,
};

const stopRequested = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopRequested.abort(new Error('stopped')));
process.on('disconnect', () => stopRequested.abort(new Error('stopped'))); // bench.mjs has exited

async function main(args: string[]): Promise<void> {
  if (args[0] === 'goals') return mainOfGoals(args.slice(1));
  const unknown = args.filter((name) => !(name in suites));
  if (unknown.length > 0) throw new Error(`unknown suite ${unknown.join(', ')}; the suites are ${Object.keys(suites).join(', ')}`);
  const date = new Date().toISOString();
  const reports: Record<string, Report> = {};
  try {
    for (const name of args.length > 0 ? args : Object.keys(suites)) reports[name] = await run(name);
  } finally {
    if (Object.keys(reports).length > 0) keep(date, reports);
  }
}

async function mainOfGoals(args: string[]): Promise<void> {
  const { names, page } = goalArguments(args);
  const date = new Date().toISOString();
  const reports: Record<string, Report> = {};
  const failed: string[] = [];
  for (const name of names) {
    try {
      reports[name] = await run(name);
    } catch (error) {
      stopRequested.signal.throwIfAborted();
      line(`  ✗ ${reason(error)}`);
      failed.push(name);
    }
  }
  keep(date, reports);
  const found = Object.fromEntries(Object.entries(storedGoals(storedRuns(), commit())).filter(([name]) => !failed.includes(name)));
  const goals = goalSuites.flatMap((name) => found[name] ?? []);
  const missing = goalSuites.filter((name) => found[name] === undefined);
  print({ tables: [goalTable(goals)] });
  if (page !== undefined) {
    const file = join(repository, page);
    const { processors, model, node } = machine();
    const where = `${processors} × ${model ?? 'unknown processor'}, Node ${node}`;
    writeFileSync(file, withLastRun(readFileSync(file, 'utf8'), { date, machine: where, commit: commit() ?? 'unknown', missing }, goals));
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
}

async function run(name: string): Promise<Report> {
  const begun = Date.now();
  line(`\n== ${name}`);
  const report = await suites[name]!(stopRequested.signal);
  print(report);
  line(`(${name}: ${seconds(Date.now() - begun)})`);
  return report;
}

function keep(date: string, suitesDone: Record<string, Report>): void {
  const directory = join(localDirectory(), 'bench');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${date.replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify({ date, machine: machine(), commit: commit(), suites: suitesDone }, null, 2)}\n`);
  line(`\nfigures: ${file}`);
}

function storedRuns(): StoredRun[] {
  const directory = join(localDirectory(), 'bench');
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return files.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as StoredRun);
}

const machine = () => ({ processors: cpus().length, model: cpus()[0]?.model, node: process.version });

function commit(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: repository, encoding: 'utf8' }).trim();
  } catch {
    return undefined; // not a Git clone
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    line(`  ✗ ${reason(error)}`);
    process.exit(1);
  },
);
