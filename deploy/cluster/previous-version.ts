import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localDirectory, repository } from '../local/local-directory.ts';
import { projectNode } from '../local/mailbox.ts';
import { mustRun } from '../local/run.ts';

/** The commit of the oldest build that CHANGELOG.md allows upgrades without downtime from. */
export function previousCommit(): string {
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  const commit = /May be upgraded from: [^#]*?`([0-9a-f]{8,40})`/.exec(changelog)?.[1];
  if (!commit) throw new Error('CHANGELOG.md names no commit after "May be upgraded from"');
  return commit;
}

/** Whether this clone has the commit: a shallow one has no history. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repository }).status === 0;

/**
 * The folder of this commit with its built processes and commands. Built once per clone, with the dependencies of this clone:
 * only the project's own code is that of the commit.
 */
export async function previousVersion(commit: string, folders: string[], signal: AbortSignal): Promise<string> {
  const directory = join(localDirectory(), 'previous', commit);
  if (!existsSync(directory)) await checkOut(commit, directory, signal);
  for (const folder of folders) {
    if (existsSync(join(directory, folder, 'dist'))) continue;
    const configuration = folder === 'deploy' ? 'deploy/local/rolldown.config.mjs' : 'rolldown.config.mjs';
    const args = [join(repository, 'node_modules/rolldown/bin/cli.mjs'), '-c', join(directory, configuration)];
    const logFile = join(localDirectory(), 'logs', 'previous-version.log');
    await mustRun(`the build of ${folder} at ${commit}`, projectNode(), args, { cwd: join(directory, folder), logFile, signal });
  }
  return directory;
}

async function checkOut(commit: string, directory: string, signal: AbortSignal): Promise<void> {
  const draft = `${directory}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const command = 'git archive "$1" | tar --extract --directory "$2"';
    const logFile = join(localDirectory(), 'logs', 'previous-version.log');
    await mustRun(`git archive ${commit}`, 'bash', ['-o', 'pipefail', '-c', command, 'bash', commit, draft], {
      cwd: repository,
      logFile,
      signal,
    });
    linkDependencies(draft);
    renameSync(draft, directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Packages of npm are those of this clone. The project's own packages must be those of the copy. */
function linkDependencies(copy: string): void {
  const installed = join(repository, 'node_modules');
  const folder = join(copy, 'node_modules');
  mkdirSync(join(folder, '@tandem'), { recursive: true });
  for (const name of readdirSync(installed)) if (name !== '@tandem') symlinkSync(join(installed, name), join(folder, name));
  const { workspaces } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { workspaces: string[] };
  const paths = workspaces.flatMap((path) =>
    path.endsWith('/*') ? readdirSync(join(copy, dirname(path))).map((name) => join(dirname(path), name)) : [path],
  );
  for (const path of paths.filter((each) => existsSync(join(copy, each, 'package.json')))) {
    const { name } = JSON.parse(readFileSync(join(copy, path, 'package.json'), 'utf8')) as { name: string };
    // Relative, because the copy is renamed.
    symlinkSync(join('..', '..', path), join(folder, name));
    const own = join(repository, path, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, path, 'node_modules'));
  }
}
