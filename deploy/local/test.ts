/**
 * `npm test`, after the dependencies are installed: build, Jest (integration on real servers, pure rules, pages, end to end) and Chromium, with
 * the fault tests alongside. The last line is the total: 'N passed, N failed'. Arguments select: `unit`, `web` (pages in jsdom), `int`, `e2e`
 * (with Chromium), `browser` (Chromium only), `chaos`; other arguments are parts of paths. `--changed` runs only the Jest tests that depend on
 * files that differ from `main`, and neither Chromium nor faults.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { findChromium } from './chromium.ts';
import { removeAbandonedInstances } from './infrastructure.ts';
import { localDirectory, repository } from './local-directory.ts';
import { reason } from './reason.ts';
import { run } from './run.ts';
import { line, step } from './steps.ts';

interface Result {
  passed: number;
  failed: number;
  /** Names; reported, because a skipped test checks nothing. */
  skipped: string[];
}

/** Jest's projects (jest.config.mjs) and the tests in Chromium. */
const kinds = ['unit', 'web', 'int', 'e2e', 'browser', 'chaos'] as const;
type Kind = (typeof kinds)[number];

const flags = ['--changed', '--pgbouncer'];
const args = process.argv.slice(2).filter((each) => !flags.includes(each));
const onlyChanged = process.argv.includes('--changed');
const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text);
// `e2e` includes the tests in the browser.
const chosen = new Set(args.filter(isKind).flatMap((each): Kind[] => (each === 'e2e' ? ['e2e', 'browser'] : [each])));
const paths = args.filter((each) => !isKind(each));
const wanted = (kind: Kind) => {
  if (onlyChanged && (kind === 'browser' || kind === 'chaos')) return false;
  return chosen.size > 0 ? chosen.has(kind) : paths.length === 0 || kind !== 'browser';
};
const results = join(localDirectory(), 'test-results');
const stopRequested = new AbortController();
const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
if (process.argv.includes('--pgbouncer')) env.TESTS_USE_PGBOUNCER = 'true';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopRequested.abort());
process.on('disconnect', () => stopRequested.abort());

async function main(): Promise<Result[]> {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const done: Result[] = [];
  const browser = wanted('browser') ? browserTests() : undefined;
  if (browser) env.CHROMIUM_PATH = await step('Chromium', (setResult) => findChromium(setResult, { withWindow: false }));
  if (browser || chosen.has('chaos') || ((wanted('e2e') || wanted('chaos')) && paths.length === 0 && !onlyChanged)) {
    await step('build', async (setResult) =>
      (await build(localDirectory(), stopRequested.signal)) ? undefined : setResult('nothing has changed'),
    );
  }
  // One project after another: workers that run files of all projects load the modules of all, and the whole run takes 50 % longer.
  // Fault tests mostly wait for outages and retries, one file after another, so they run alongside the others from the beginning.
  const faults = wanted('chaos') ? inBackground('chaos', (output) => jest('chaos', output)) : undefined;
  for (const project of (['int', 'unit', 'web', 'e2e'] as const).filter(wanted)) done.push(await jest(project));
  if (browser) done.push(await playwright(browser));
  if (faults) done.push(await faults());
  return done;
}

/** Starts `work` with its output in a file; the returned function waits for its end and prints the output. */
function inBackground(name: string, work: (logFile: string) => Promise<Result>): () => Promise<Result> {
  const logFile = join(results, `${name}.log`);
  const result = work(logFile).catch((error: unknown) => broken(reason(error)));
  return async () => {
    const done = await result;
    if (existsSync(logFile)) process.stdout.write(readFileSync(logFile));
    return done;
  };
}

async function jest(name: Kind, logFile?: string): Promise<Result> {
  const file = join(results, `${name}.json`);
  const program = join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = quiet();
  const narrowed = paths.length ? ['--testPathPatterns', ...paths] : [];
  const { code } = await run(
    process.execPath,
    [
      // Inherited by the workers. With Node's default of 16 MB they collect garbage more often, which costs 4 % of their CPU time.
      '--max-semi-space-size=64',
      program,
      '--json',
      '--outputFile',
      file,
      '--passWithNoTests',
      ...(onlyChanged ? ['--changedSince', 'main'] : []),
      '--selectProjects',
      name,
      // The fault tests of one file share processes.
      ...(name === 'chaos' ? ['--runInBand'] : []),
      ...narrowed,
    ],
    { ...options, env: { ...options.env, ONE_JEST_PROJECT: '1' }, ...(logFile ? { logFile } : {}) },
  );
  if (!existsSync(file)) return broken(`Jest (${name}) returned no result (exit code ${code})`);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Record<
    'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites',
    number
  > & { testResults: { assertionResults: { fullName: string; status: string }[] }[] };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  // A suite that could not be loaded has an unknown number of tests: it counts as one failure.
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = tests.filter(({ status }) => status === 'pending' || status === 'todo').map(({ fullName }) => fullName);
  const result = { passed: report.numPassedTests, failed, skipped };
  return code !== 0 && failed === 0
    ? { ...result, ...broken(`Jest (${name}) failed with exit code ${code}`), passed: result.passed }
    : result;
}

/** The configuration of the tests in Chromium, at either of its possible paths. */
function browserTests(): string | undefined {
  const places = ['web/e2e/playwright.config.ts', 'web/playwright.config.ts'];
  return places.map((place) => join(repository, place)).find((file) => existsSync(file));
}

async function playwright(config: string): Promise<Result> {
  const file = join(results, 'playwright.json');
  const program = join(repository, 'node_modules', '@playwright', 'test', 'cli.js');
  const options = quiet();
  const { code } = await run(process.execPath, [program, 'test', '-c', config, '--reporter=list,json', '--pass-with-no-tests', ...paths], {
    ...options,
    env: { ...options.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  });
  if (!existsSync(file)) return broken(`Playwright returned no result (exit code ${code})`);
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>;
    errors: unknown[];
  };
  // A test that passed only at the second try counts as failed.
  const failed = stats.unexpected + stats.flaky + errors.length;
  return {
    passed: stats.expected,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: Array.from({ length: stats.skipped }, () => 'a test in Chromium'),
  };
}

function quiet() {
  return { cwd: repository, env, signal: stopRequested.signal };
}

function broken(why: string): Result {
  line(why);
  return { passed: 0, failed: 1, skipped: [] };
}

async function finish(done: Result[]): Promise<void> {
  // Remove what an interrupted run has left running.
  await removeAbandonedInstances(join(tmpdir(), 'tandem-tests'));
  const sum = (key: 'passed' | 'failed') => done.reduce((total, each) => total + each[key], 0);
  const [passed, failed] = [sum('passed'), sum('failed')];
  const skipped = done.flatMap((each) => each.skipped);
  if (skipped.length > 0) line(`${skipped.length} skipped:`);
  for (const name of skipped) line(`  ${name}`);
  if (passed + failed === 0) line('No tests matched.');
  line(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

main().then(finish, async (error: unknown) => {
  line(reason(error));
  await finish([{ passed: 0, failed: 1, skipped: [] }]);
});
