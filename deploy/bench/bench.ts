/**
 * `npm run bench -- [http] [layers] [events] [sign-in] [start] [scale] [analytics] [web] [mail] [mail-in] [mail-hostile] [sync] [restart] [webhooks] [first-event] [first-paint] [first-minutes]`:
 * runs the named suites, by default all. Each measures floor and product side by side, prints medians, quartiles and ratios next to the goals, and
 * writes one JSON file to `.local/bench/`. Slow figures never make it fail; a wrong response does.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { localDirectory, repository } from '../local/local-directory.ts';
import { reason } from '../local/reason.ts';
import { line, seconds } from '../local/steps.ts';
import { print, type Report } from './report.ts';
import { analyticsSuite } from './suites/analytics.ts';
import { eventsSuite } from './suites/events.ts';
import { firstEventSuite } from './suites/first-event.ts';
import { firstMinutesSuite } from './suites/first-minutes.ts';
import { firstPaintSuite } from './suites/first-paint.ts';
import { httpSuite } from './suites/http.ts';
import { layersSuite } from './suites/layers.ts';
import { mailSuite } from './suites/mail.ts';
import { mailHostileSuite } from './suites/mail-hostile.ts';
import { mailInSuite } from './suites/mail-in.ts';
import { restartSuite } from './suites/restart.ts';
import { scaleSuite } from './suites/scale.ts';
import { signInSuite } from './suites/sign-in.ts';
import { startSuite } from './suites/start.ts';
import { syncSuite } from './suites/sync.ts';
import { webSuite } from './suites/web.ts';
import { webhooksSuite } from './suites/webhooks.ts';

const suites: Record<string, (signal: AbortSignal) => Promise<Report>> = {
  http: httpSuite,
  layers: layersSuite,
  events: eventsSuite,
  'sign-in': signInSuite,
  start: startSuite,
  scale: scaleSuite,
  analytics: analyticsSuite,
  web: webSuite,
  mail: mailSuite,
  'mail-in': mailInSuite,
  'mail-hostile': mailHostileSuite,
  sync: syncSuite,
  restart: restartSuite,
  webhooks: webhooksSuite,
  'first-event': firstEventSuite,
  'first-paint': firstPaintSuite,
  'first-minutes': firstMinutesSuite,
};

const stopRequested = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopRequested.abort(new Error('stopped')));
process.on('disconnect', () => stopRequested.abort(new Error('stopped'))); // bench.mjs has exited

async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in suites));
  if (unknown.length > 0) throw new Error(`unknown suite ${unknown.join(', ')}; the suites are ${Object.keys(suites).join(', ')}`);
  const date = new Date().toISOString();
  const reports: Record<string, Report> = {};
  try {
    for (const name of names.length > 0 ? names : Object.keys(suites)) {
      const begun = Date.now();
      line(`\n== ${name}`);
      const report = await suites[name]!(stopRequested.signal);
      reports[name] = report;
      print(report);
      line(`(${name}: ${seconds(Date.now() - begun)})`);
    }
  } finally {
    if (Object.keys(reports).length > 0) keep(date, reports);
  }
}

function keep(date: string, suitesDone: Record<string, Report>): void {
  const directory = join(localDirectory(), 'bench');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${date.replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify({ date, machine: machine(), commit: commit(), suites: suitesDone }, null, 2)}\n`);
  line(`\nfigures: ${file}`);
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
