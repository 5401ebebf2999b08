import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Readiness } from './health';
import { observableGauge, onScrape, type Observation } from './metrics';

const delay = observableGauge(
  'tandem_event_loop_delay_seconds',
  'How late timers of the process ran since the previous scrape, as quantiles (1: the maximum)',
  ['process', 'quantile'],
);
const utilization = observableGauge(
  'tandem_event_loop_utilization_ratio',
  'Share of the time since the previous scrape in which the event loop was busy; at 1 the process can do no more',
  ['process'],
);
const memory = observableGauge('tandem_process_memory_bytes', 'Memory of the process: resident (rss), and used by JavaScript (heap)', [
  'process',
  'kind',
]);
const memoryLimit = observableGauge(
  'tandem_process_memory_limit_bytes',
  'Where the process is ended: the limit of the container (rss; absent without one) and of JavaScript (heap)',
  ['process', 'kind'],
);
const dependencyUp = observableGauge('tandem_dependency_up', '1 if the dependency responds, as in /health/ready; otherwise 0', [
  'process',
  'dependency',
]);

/** The interval of the timer that is measured. It is part of each measured value. */
const resolutionMs = 20;
const quantiles = [0.5, 0.99, 1];
/** Without a limit the kernel reports a number of bytes that no machine has. */
const plausibleLimitBytes = 2 ** 50;

/** Reports what limits a process: event loop, memory and dependencies. Returns a function that stops it. */
export function watchProcess(process: string, ready: () => Promise<Readiness>): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let before = performance.eventLoopUtilization();
  const stop = [
    onScrape('process', [delay, utilization, memory, memoryLimit], () => {
      const after = performance.eventLoopUtilization();
      const { utilization: ratio } = performance.eventLoopUtilization(after, before);
      before = after;
      const observations: Observation[] = [
        { gauge: utilization, value: ratio, labels: { process } },
        ...quantiles.map((quantile) => {
          const ms = (quantile === 1 ? histogram.max : histogram.percentile(quantile * 100)) / 1e6;
          return { gauge: delay, value: Math.max(0, ms - resolutionMs) / 1000, labels: { process, quantile: String(quantile) } };
        }),
        ...memoryOf(process),
      ];
      histogram.reset();
      return observations;
    }),
    onScrape('dependencies', [dependencyUp], async () =>
      Object.entries((await ready()).checks).map(([dependency, state]) => ({
        gauge: dependencyUp,
        value: state === 'ok' ? 1 : 0,
        labels: { process, dependency },
      })),
    ),
  ];
  return () => {
    histogram.disable();
    for (const each of stop) each();
  };
}

function memoryOf(process: string): Observation[] {
  const { rss, heapUsed } = globalThis.process.memoryUsage();
  const limit = globalThis.process.constrainedMemory();
  return [
    { gauge: memory, value: rss, labels: { process, kind: 'rss' } },
    { gauge: memory, value: heapUsed, labels: { process, kind: 'heap' } },
    { gauge: memoryLimit, value: getHeapStatistics().heap_size_limit, labels: { process, kind: 'heap' } },
    ...(limit > 0 && limit < plausibleLimitBytes ? [{ gauge: memoryLimit, value: limit, labels: { process, kind: 'rss' } }] : []),
  ];
}
