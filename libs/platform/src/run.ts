import { ConfigError, type ServiceConfig } from './config';
import { releaseMemoryWhenIdle } from './idle-memory';
import { createLogger } from './log';
import { startService, type RunningService, type ServiceDefinition } from './service';
import { flushTraces } from './telemetry';

/** Limit for closing consumers, workers and pools, after the drain: beyond it the process is killed with unfinished work. */
const closeWithinMs = 10_000;
/**
 * How long jobs wait after the start. Connecting the workers of all services to Redis delays the first answers of a process by a sixth of the
 * time that it needs until then.
 */
const jobsAfterMs = 500;

/**
 * Runs a process from its `main.ts`: starts it, and on SIGTERM or SIGINT drains it and exits 0. If starting fails, prints the problems and
 * exits 1. An uncaught exception is logged as fatal and also exits 1, because the process is in an unknown state.
 */
export function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): void {
  runServices(definition.name, [() => startService(definition)]);
}

/** Like `runService`, for several services in one process. The last one stops first: its requests still need the others. */
export function runServices(name: string, starts: readonly (() => Promise<RunningService>)[]): void {
  const log = createLogger(name);
  const die = (what: string) => (error: unknown) => {
    log.fatal({ err: error }, what);
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));

  const started = Promise.all(starts.map((start) => start()));
  started.catch((error: unknown) => {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'Could not start');
    process.exit(1);
  });
  releaseMemoryWhenIdle((error) => log.error({ err: error }, 'The memory of the idle process cannot be released'));

  let asked = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (asked) die(`second ${signal}: exiting immediately`)(undefined);
    asked = true;
    log.info({ signal }, 'Stopping');
    void started.then((running) => leave(running, die)).catch(die('could not stop cleanly'));
  };
  const startJobs = (running: readonly RunningService[]): void => {
    if (!asked) for (const each of running) each.startJobs();
  };
  const startJobsLater = (running: readonly RunningService[]) => void setTimeout(startJobs, jobsAfterMs, running);
  started.then(startJobsLater, () => undefined);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function leave(running: readonly RunningService[], die: (what: string) => (error: unknown) => void): Promise<void> {
  const last = running.at(-1)!;
  const { SHUTDOWN_NOTICE_MS: notice, SHUTDOWN_GRACE_MS: grace } = last.config;
  const rounds = Math.min(running.length, 2);
  setTimeout(() => die('could not stop in time')(undefined), rounds * (notice + grace + closeWithinMs)).unref();
  await last.close();
  await Promise.all(running.map((each) => each.close()));
  await flushTraces();
  process.exit(0);
}
