import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  metrics,
  type Attributes,
  type BatchObservableCallback,
  type Counter,
  type Gauge,
  type Histogram,
  type Meter,
  type MetricOptions,
  type ObservableGauge as OtelGauge,
} from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';

let provider: MeterProvider | undefined;
/** The metrics server of this process; pending while its port opens. */
let opened: Promise<OpenMetrics> | undefined;

/** Our meter: it records nothing, at no cost, until the process opens its metrics port. */
export const meter = (): Meter => metrics.getMeter('tandem');

/** A metric as docs/metrics.md lists it. */
export interface MetricDefinition {
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  description: string;
  labels: readonly string[];
}

const definitions = new Map<string, MetricDefinition>();

/** The metrics of all modules that have been loaded, sorted by name. */
export const metricDefinitions = (): MetricDefinition[] => [...definitions.values()].sort((one, other) => (one.name < other.name ? -1 : 1));

function define(definition: MetricDefinition): void {
  if (definitions.has(definition.name)) throw new Error(`Two metrics are named ${definition.name}`);
  definitions.set(definition.name, definition);
}

// An instrument that is created before the provider exists never records anything, so it is created at its first use afterwards.
function later<I>(make: () => I): () => I | undefined {
  let made: { by: MeterProvider; instrument: I } | undefined;
  return () => {
    if (provider && made?.by !== provider) made = { by: provider, instrument: make() };
    return provider && made?.instrument;
  };
}

/** A counter that may be declared at the top of a file: `const sent = counter('tandem_mails_total', 'Mails handed to SMTP', ['kind'])`. */
export function counter(
  name: string,
  description: string,
  labels: readonly string[] = [],
): { add(value: number, attributes?: Attributes): void } {
  define({ name, kind: 'counter', description, labels });
  const instrument = later<Counter>(() => meter().createCounter(name, { description }));
  return { add: (value, attributes) => instrument()?.add(value, attributes) };
}

/** Like `counter`, for a value that goes up and down; it keeps the last one that was recorded. */
export function gauge(
  name: string,
  description: string,
  labels: readonly string[] = [],
): { record(value: number, attributes?: Attributes): void } {
  define({ name, kind: 'gauge', description, labels });
  const instrument = later<Gauge>(() => meter().createGauge(name, { description }));
  return { record: (value, attributes) => instrument()?.record(value, attributes) };
}

/** Like `counter`, for a distribution; in seconds unless the options set another unit. */
export function histogram(
  name: string,
  description: string,
  labels: readonly string[] = [],
  options: MetricOptions = {},
): { record(value: number, attributes?: Attributes): void } {
  define({ name, kind: 'histogram', description, labels });
  const instrument = later<Histogram>(() =>
    meter().createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
      ...options,
    }),
  );
  return { record: (value, attributes) => instrument()?.record(value, attributes) };
}

/** A gauge whose value is read at each scrape, by the reader that was given to `onScrape`. */
export interface ObservableGauge {
  readonly instrument: () => OtelGauge | undefined;
}

export function observableGauge(name: string, description: string, labels: readonly string[] = []): ObservableGauge {
  define({ name, kind: 'gauge', description, labels });
  return { instrument: later<OtelGauge>(() => meter().createObservableGauge(name, { description })) };
}

export interface Observation {
  gauge: ObservableGauge;
  value: number;
  labels?: Attributes;
}

interface ScrapeReader {
  name: string;
  gauges: readonly ObservableGauge[];
  callback: BatchObservableCallback;
}

/** A dependency that hangs must not delay the other metrics beyond Prometheus' timeout (10 s). */
const readWithinMs = 2_000;
const readers = new Set<ScrapeReader>();
const failures = counter(
  'tandem_metric_read_failures_total',
  'Reads of metrics that failed or took more than two seconds; their gauges are missing from that scrape',
  ['reader'],
);

/**
 * Calls `read` at each scrape and reports what it returns. If it fails or takes too long, its gauges are absent from this scrape instead of
 * showing an old value. `read` runs in every replica at every scrape, so it must not scan a table. Returns a function that unregisters it.
 */
export function onScrape(
  name: string,
  gauges: readonly ObservableGauge[],
  read: () => readonly Observation[] | Promise<readonly Observation[]>,
): () => void {
  const callback: BatchObservableCallback = async (result) => {
    try {
      for (const { gauge, value, labels } of await inTime(read)) {
        const instrument = gauge.instrument();
        if (instrument) result.observe(instrument, value, labels);
      }
    } catch {
      failures.add(1, { reader: name });
    }
  };
  const reader = { name, gauges, callback };
  readers.add(reader);
  attach(reader);
  return () => {
    readers.delete(reader);
    if (provider) meter().removeBatchObservableCallback(callback, instrumentsOf(reader));
  };
}

const instrumentsOf = ({ gauges }: ScrapeReader): OtelGauge[] =>
  gauges.map((gauge) => gauge.instrument()).filter((each) => each !== undefined);

function attach(reader: ScrapeReader): void {
  if (!provider) return;
  failures.add(0, { reader: reader.name });
  meter().addBatchObservableCallback(reader.callback, instrumentsOf(reader));
}

async function inTime<T>(work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('too late')), readWithinMs)));
  return Promise.race([Promise.resolve().then(work), late]).finally(() => clearTimeout(timer));
}

const requestSeconds = histogram('tandem_http_request_duration_seconds', 'How long requests took, by route', [
  'process',
  'method',
  'route',
  'status',
]);

export function observeRequest(request: { process: string; method: string; route: string; status: number }, seconds: number): void {
  requestSeconds.record(seconds, request);
}

const starts = counter('tandem_process_starts_total', 'Starts of the process', ['process']);

export interface OpenMetrics {
  /** The address that Prometheus scrapes. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves /metrics for Prometheus on a separate, non-public port (0: a free one). If all services run in one process, the first call opens
 * the port; later calls open nothing and share its metrics.
 */
export async function startMetrics(name: string, host: string, port: number): Promise<OpenMetrics> {
  // Services of one process start at the same time, so the port may still be opening.
  if (opened) return { url: (await opened).url, close: async () => undefined };
  opened = openMetrics(name, host, port);
  try {
    return await opened;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

async function openMetrics(name: string, host: string, port: number): Promise<OpenMetrics> {
  // Loaded only if metrics are enabled, because it has about a hundred modules.
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const { AggregationTemporality, InstrumentType, MeterProvider } = await import('@opentelemetry/sdk-metrics');
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true });
  // Otherwise a gauge that could not be read would show its last value.
  exporter.selectAggregationTemporality = (type) =>
    type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  const mine = new MeterProvider({ readers: [exporter] });
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] === '/metrics') exporter.getMetricsRequestHandler(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // The process may exit while a scraper keeps its connection.
  server.unref();
  provider = mine;
  metrics.setGlobalMeterProvider(mine);
  starts.add(1, { process: name });
  for (const reader of readers) attach(reader);
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${reachable}:${(server.address() as AddressInfo).port}/metrics`,
    close: async () => {
      opened = undefined;
      provider = undefined;
      metrics.disable();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mine.shutdown();
    },
  };
}
