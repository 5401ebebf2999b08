import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local-directory.ts';
import { run } from './run.ts';
import { readState, updateState } from './state.ts';

/** All inputs of the build. */
const sources = [
  'libs',
  'services',
  'gateway',
  'web',
  'deploy',
  'package-lock.json',
  'tsconfig.base.json',
  'rolldown.config.mjs',
  'rolldown.packages.mjs',
  'nx.json',
];
const notSources =
  /^(node_modules|dist|\.local|\.nx|e2e|test-results|playwright-report|coverage|bench|chaos|cluster|compose)$|\.(spec|test)\.tsx?$/;
/** One output file of each product; if one is missing, a matching source hash does not count. */
const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'];
const products = [
  ...services.map((each) => `services/${each}/dist/main.js`),
  'gateway/dist/main.js',
  'libs/sdk/dist/index.js',
  'web/dist/index.html',
  'deploy/dist/migrate.js',
  'deploy/dist/tandem.js',
  'deploy/dist/task-tool-sandbox.js',
  'deploy/dist/webhook-sink.js',
  'deploy/dist/one-process/main.js',
];

/** Builds all services, the gateway, the web app and the commands, unless the sources are unchanged. Returns whether it built. */
export async function build(directory: string, signal?: AbortSignal): Promise<boolean> {
  const hash = hashOfSources();
  if (readState(directory).buildHash === hash && products.every((each) => existsSync(join(repository, each)))) return false;
  const nx = join(repository, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const env = { NX_DAEMON: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_TUI: 'false', FORCE_COLOR: '0' };
  const args = [nx, 'run-many', '-t', 'build', '--output-style=stream'];
  const logFile = join(directory, 'logs', 'build.log');
  const { code, all } = await run(process.execPath, args, { cwd: repository, env, logFile, signal });
  if (code !== 0) throw new Error(`the build failed (exit code ${code}):\n${whatFailed(all)}\n(log: ${logFile})`);
  updateState(directory, (state) => void (state.buildHash = hash));
  return true;
}

/** The output lines of the failed tasks; the end of the output if no failed task is named. */
function whatFailed(output: string): string {
  const lines = output.trimEnd().split('\n');
  const failed = lines.flatMap((line) => /^- (\S+):build$/.exec(line.trim())?.[1] ?? []);
  const theirs = lines.filter((line) => failed.some((name) => line.startsWith(`${name}: `)));
  return (theirs.length ? theirs : lines).slice(-60).join('\n');
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const file = join(repository, path);
    if (!existsSync(file)) return;
    hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
  };
  const walk = (path: string) => {
    for (const entry of readdirSync(join(repository, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (notSources.test(entry.name)) continue;
      if (entry.isDirectory()) walk(`${path}/${entry.name}`);
      else if (entry.isFile()) add(`${path}/${entry.name}`);
    }
  };
  for (const each of sources) {
    if (/\.\w+$/.test(each)) add(each);
    else walk(each);
  }
  return hash.digest('hex');
}
