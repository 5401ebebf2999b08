/**
 * Prepares `npm start` and `npm test`: plain JavaScript for Node 20.19 or later that uses only Node's own modules.
 * Makes node_modules match package-lock.json, then runs a TypeScript file with the project's own Node.
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

/** Installs missing packages, then runs `deploy/local/<file>` with these arguments and exits with its exit code. */
export async function handOver(file, args) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`Node ${process.versions.node} is too old: 20.19 or newer is needed`);
  await installDependencies();
  const node = projectNode();
  // A separate session: a Ctrl-C then reaches it once, from here, and not also from the terminal and from npm.
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(repository, 'deploy', 'local', file), ...args], {
    cwd: repository,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${join(repository, 'node_modules', '.bin')}:${dirname(node)}:${process.env.PATH ?? ''}` },
  });
  // If npm is killed without forwarding the signal (its shell does not forward signals), stop when the parent process changes.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  }
  let last = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // npm forwards a Ctrl-C that the terminal has already delivered: two signals within 700 ms count as one.
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

/**
 * Compares the lock file's packages with those that npm has recorded as installed, one by one: a pull that changed a version is detected,
 * and an extra package that was installed manually is kept.
 */
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

/** Packages for other platforms and optional ones may be missing; a missing optional package fails where it is used. */
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

/** Prevents concurrent starts from both emptying node_modules. The lock is a listening socket, so it is released when its holder dies. */
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

/** Node 24 from the lock file if its package exists for this platform; otherwise the running Node, if it can run TypeScript. */
function projectNode() {
  const own = join(repository, 'node_modules', '.bin', 'node');
  if (existsSync(own)) return realpathSync(own);
  if (process.features.typescript) return process.execPath;
  throw new Error(
    `There is no packaged Node for ${process.platform}-${process.arch}, and Node ${process.versions.node} does not read TypeScript: install Node 22.18 or newer`,
  );
}
