import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';

const defaultCheckMs = 5_000;
/** A process whose event loop was busy for less of the time is idle: timers and health checks need about a hundredth. */
const idleUtilization = 0.05;
/** The number of idle checks in a row after which memory is released. */
const idleChecks = 2;
/** Memory is only released if the process may have that much to release. */
const minGrowthBytes = 16 * 2 ** 20;
/** Two minutes: a process with little work is stopped for less than a thousandth of its time. */
const checksBetween = 24;

/**
 * Decides when to release memory: at the second idle check in a row, if the process has grown since the last time, and not more often than every
 * two minutes. `isDue` is called at each check, `released` with the memory that was left.
 */
export function idleRule() {
  let idle = 0;
  let left = 0;
  let checksSince = checksBetween;
  return {
    isDue(utilization: number, rssBytes: number): boolean {
      checksSince++;
      idle = utilization < idleUtilization ? idle + 1 : 0;
      return idle >= idleChecks && checksSince >= checksBetween && rssBytes >= left + minGrowthBytes;
    },
    released(rssBytes: number): void {
      left = rssBytes;
      checksSince = 0;
    },
  };
}

/**
 * Returns memory to the operating system when the process has become idle. V8 keeps the pages of its heap that a collection has emptied, and
 * its own reduction of an idle heap does not start in a Node process, whose timers never stop allocating a little
 * (`--trace-memory-reducer`): a process stays as large as it was under load. The collection stops the process for about 0.1 s. Returns a
 * function that stops the checks; `onError` is called, and they are stopped, if memory cannot be released.
 */
export function releaseMemoryWhenIdle(onError: (error: unknown) => void, checkMs = defaultCheckMs): () => void {
  const rule = idleRule();
  let before = performance.eventLoopUtilization();
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    const after = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(after, before);
    before = after;
    if (!rule.isDue(utilization, process.memoryUsage.rss())) return;
    releaseMemory().then(
      () => rule.released(process.memoryUsage.rss()),
      (error: unknown) => {
        stop();
        onError(error);
      },
    );
  }, checkMs).unref();
  return stop;
}

/** A collection that also releases V8's empty pages: https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/ */
async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
