import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Each module declares its metrics when it is loaded: these are all modules of all processes.
import '@tandem/gateway/src/gateway.module';
import './processes';
import { metricDefinitions, type MetricDefinition } from '@tandem/platform';

const root = join(__dirname, '..');

/** The metrics of all processes, sorted by name. */
export const allMetrics = (): MetricDefinition[] => metricDefinitions();

/** The names in calls of `counter`, `gauge`, `histogram` and `observableGauge`, read from the source of libraries and processes. */
export function metricNamesInSource(): string[] {
  const files = ['libs', 'services', 'gateway'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(^|\/)src\/.*\.ts$/.test(name) && !/node_modules|\.spec\.ts$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  const call = /\b(?:counter|gauge|histogram|observableGauge)\(\s*'(tandem_\w+)'/g;
  return files
    .flatMap((file) => [
      ...readFileSync(file, 'utf8')
        .replace(/\/\*\*.*?\*\//gs, '')
        .matchAll(call),
    ])
    .map((match) => match[1]!)
    .sort();
}

export function metricsPage(metrics: MetricDefinition[]): string {
  const rows = metrics.map(
    ({ name, kind, labels, description }) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${description} |`,
  );
  return `${[
    '# Metrics',
    '',
    'Written by `npm run docs` from the code. A process serves them at `/metrics` on its `<NAME>_METRICS_PORT`.',
    '',
    '- Names end in the unit. Ages are in seconds and are 0 if nothing waits.',
    '- `process` is the name of the process that reports. If all services run in one process, they share its metrics port.',
    '- Gauges about a database, the stream or a queue are reported by every replica of a service: take the maximum, not the sum.',
    '- A gauge that cannot be read within two seconds is missing from that scrape, and `tandem_metric_read_failures_total` grows.',
    '- Histograms have the series `_bucket`, `_sum` and `_count`.',
    '',
    '| metric | kind | labels | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}
