import { metrics, type Attributes, type Counter, type Gauge, type Histogram, type Meter, type MetricOptions } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';

let provider: MeterProvider | undefined;

/** Our meter: it records nothing, at no cost, until the process opens its metrics port. */
export const meter = (): Meter => metrics.getMeter('tandem');

// An instrument that is created before the provider exists never records anything, so it is created at its first use afterwards.
function later<I>(make: () => I): () => I | undefined {
  let instrument: I | undefined;
  return () => (provider ? (instrument ??= make()) : undefined);
}

/** A counter that may be declared at the top of a file: `const sent = counter('tandem_mails_total', 'Mails handed to SMTP')`. */
export function counter(name: string, description: string): { add(value: number, attributes?: Attributes): void } {
  const instrument = later<Counter>(() => meter().createCounter(name, { description }));
  return { add: (value, attributes) => instrument()?.add(value, attributes) };
}

/** Like `counter`, for a value that goes up and down; it keeps the last one that was recorded. */
export function gauge(name: string, description: string): { record(value: number, attributes?: Attributes): void } {
  const instrument = later<Gauge>(() => meter().createGauge(name, { description }));
  return { record: (value, attributes) => instrument()?.record(value, attributes) };
}

/** Like `counter`, for a distribution; in seconds unless the options set another unit. */
export function histogram(
  name: string,
  description: string,
  options: MetricOptions = {},
): { record(value: number, attributes?: Attributes): void } {
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

const requestSeconds = histogram('tandem_http_request_duration_seconds', 'How long requests took, by route');

export function observeRequest(request: { process: string; method: string; route: string; status: number }, seconds: number): void {
  requestSeconds.record(seconds, request);
}

/**
 * Serves /metrics for Prometheus on a separate, non-public port. If all services run in one process,
 * the first call opens the port; later calls open nothing and share its metrics.
 */
export async function startMetrics(name: string, host: string, port: number): Promise<{ close(): Promise<void> }> {
  if (provider) return { close: async () => undefined };
  // Loaded only if metrics are enabled, because it has about a hundred modules.
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics');
  const exporter = new PrometheusExporter({ host, port, preventServerStart: true });
  const mine = new MeterProvider({ readers: [exporter] });
  await exporter.startServer();
  provider = mine;
  metrics.setGlobalMeterProvider(mine);
  counter('tandem_process_starts_total', 'Starts of the process').add(1, { process: name });
  return {
    close: async () => {
      provider = undefined;
      metrics.disable();
      await mine.shutdown();
    },
  };
}
