import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server program that runs on this machine. */
export interface Binary {
  file: string;
  version: [major: number, minor: number];
  /** Where it was found, for display. */
  source: string;
  /** Directory of its bundled libraries, if it does not use the system's. */
  libraryPath?: string;
}

/** No usable program for this server was found. The message lists what is missing and the possible solutions. */
export class MissingServer extends Error {
  constructor(server: string, variable: string, tried: string[]) {
    super(
      [
        `${server} is missing. Tried:`,
        ...tried.map((each) => `  - ${each}`),
        'Solutions:',
        `  - install ${server} so that it is on the PATH, then start again;`,
        `  - or set ${variable} to the address of a running one;`,
        '  - or use containers, which need nothing but Docker: docker compose up',
      ].join('\n'),
    );
  }
}

/** The program of this name on the PATH (and in the two directories that are on root's PATH but not on a user's). */
export function onPath(name: string): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  return places.map((place) => join(place, name)).find(isExecutable);
}

/** True if this file exists and is executable. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The version reported by the program; undefined if it cannot run (a missing library, another architecture). */
export async function versionOf(file: string, libraryPath?: string): Promise<[number, number] | undefined> {
  try {
    const { stdout } = await run(file, ['--version'], { env: withLibraries(libraryPath), timeout: 10_000 });
    const found = /(\d+)\.(\d+)/.exec(stdout);
    return found ? [Number(found[1]), Number(found[2])] : undefined;
  } catch {
    return undefined;
  }
}

/** True when version `a` is at least `b`. */
export function atLeast(a: [number, number], b: [number, number]): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] >= b[1]);
}

/** The environment in which a program finds its bundled libraries first. */
export function withLibraries(libraryPath: string | undefined): NodeJS.ProcessEnv {
  if (!libraryPath) return process.env;
  return { ...process.env, LD_LIBRARY_PATH: [libraryPath, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
}

/** True if this user may read and enter the directory, checked by the system, including its parent directories. */
export function mayWorkIn(directory: string, user: { uid: number; gid: number }): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'cd "$1" && test -r . && test -x .', 'sh', directory], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
