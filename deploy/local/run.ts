import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Receives all output; without it the output goes to ours. */
  logFile?: string;
  /** Its stdout contains passwords: only stderr is logged and included in errors. */
  isResultSecret?: boolean;
  signal?: AbortSignal;
}

/**
 * Runs a program to its end and returns its exit code and, if it is logged, its output to stdout and stderr. `signal` ends it with SIGTERM;
 * the promise is rejected only after it has exited, so that the caller can remove what it has left.
 */
export async function run(file: string, args: string[], options: RunOptions): Promise<{ code: number; stdout: string; all: string }> {
  const { cwd, env, logFile, isResultSecret, signal } = options;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', logFile ? 'pipe' : 'inherit', logFile ? 'pipe' : 'inherit'],
    signal,
  });
  let [stdout, all] = ['', ''];
  if (logFile) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile ? createWriteStream(logFile, { flags: 'a', mode: 0o600 }) : undefined;
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  for (const stream of isResultSecret ? [child.stderr] : [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      log?.write(chunk);
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
      // It has never started: it will not exit either.
      if (child.pid === undefined) reject(error);
    });
    child.once('close', (exit) => (failure ? reject(failure) : resolve(exit ?? 1)));
  });
  log?.end();
  return { code, stdout, all };
}

/** Runs a program that must succeed: on failure throws with the end of its output. */
export async function mustRun(what: string, file: string, args: string[], options: RunOptions & { logFile: string }): Promise<string> {
  const { code, stdout, all } = await run(file, args, options);
  if (code !== 0)
    throw new Error(`${what} failed (exit code ${code}):\n${all.trimEnd().split('\n').slice(-40).join('\n')}\n(log: ${options.logFile})`);
  return stdout;
}
