/**
 * What `npm start` and `npm test` need before anything of the project can run: plain JavaScript for any Node from 20.19 on, with nothing but Node's own modules.
 * Makes node_modules what package-lock.json says, then hands over to a TypeScript file under the project's own Node.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Installs what is missing, then runs `deploy/local/<file>` with these arguments and ends with its exit code. */
export async function handOver(file, args) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`Node ${process.versions.node} is too old: 20.19 or newer is needed`);
  await installDependencies();
  const node = projectNode();
  // A session of its own: a Ctrl-C reaches it once, from here, and not a second time from the terminal (and a third from npm).
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(repository, 'deploy', 'local', file), ...args], {
    cwd: repository,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${join(repository, 'node_modules', '.bin')}:${dirname(node)}:${process.env.PATH ?? ''}` },
  });
  // npm was ended without passing it on (its shell keeps signals to itself): nobody would stop us any more.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  }
  let last = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // npm passes on the Ctrl-C that the terminal has already delivered: two within a moment are one.
      if (Date.now() - last < 700) return;
      last = Date.now();
      child.kill(signal);
    });
  }
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** The lock file's packages and those npm says it has installed, compared one by one: a pull that changed a version is noticed, an install by hand is respected. */
export function dependenciesAreCurrent() {
  const installed = join(repository, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const has = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wants = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wants).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link || isForeign(wanted)) return true;
    return has[path]?.version === wanted.version && existsSync(join(repository, path));
  });
}

/** Packages of other platforms, and optional ones, may be absent; the latter's absence shows where they are used. */
function isForeign({ optional, peer, os, cpu, libc }) {
  const excludes = (list, value) => list && !list.includes(value) && !list.some((each) => each.startsWith('!') && each !== `!${value}`);
  return (
    optional ||
    (optional && peer) ||
    excludes(os, process.platform) ||
    excludes(cpu, process.arch) ||
    (libc && process.platform !== 'linux')
  );
}

async function installDependencies() {
  const begun = Date.now();
  if (!dependenciesAreCurrent()) {
    const release = await lockInstall();
    try {
      if (!dependenciesAreCurrent()) await npmCi();
    } finally {
      release();
    }
  }
  console.log(`  ✓ dependencies  ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

async function npmCi() {
  console.log('  … dependencies: npm ci');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const code = await new Promise((resolve, reject) => {
    const child = spawn(npm[0], [...npm.slice(1), 'ci', '--no-audit', '--no-fund'], {
      cwd: repository,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code}): its own message is above`);
}

/** Two starts at once must not both empty node_modules. The lock is a listening socket, so that it dies with its holder. */
async function lockInstall() {
  const id = `tandem-install-${createHash('sha256').update(realpathSync(repository)).digest('hex').slice(0, 32)}`;
  const address = process.platform === 'linux' ? `\0${id}` : join(tmpdir(), `${id}.sock`);
  for (;;) {
    const server = createServer();
    const taken = await new Promise((resolve, reject) => {
      server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error)));
      server.listen(address, () => resolve(false));
    });
    if (!taken) return () => server.close();
    await sleep(200);
  }
}

/** Node 24 of the lock file where its package exists for this platform; else the one we run on, if it reads TypeScript. */
function projectNode() {
  const own = join(repository, 'node_modules', '.bin', 'node');
  if (existsSync(own)) return realpathSync(own);
  if (process.features.typescript) return process.execPath;
  throw new Error(
    `There is no packaged Node for ${process.platform}-${process.arch}, and Node ${process.versions.node} does not read TypeScript: install Node 22.18 or newer`,
  );
}
