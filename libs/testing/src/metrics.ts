import { metricDefinitions, startMetrics } from '@tandem/platform';
import { onTestFileEnd } from './on-test-file-end';

/** One scrape, as a client of Prometheus reads it. */
export class Scrape {
  readonly #series = new Map<string, { labels: Record<string, string>; value: number }[]>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const found = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
      if (!found) continue;
      const labels = Object.fromEntries([...(found[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1]!, match[2]!]));
      assertDefined(found[1]!, Object.keys(labels));
      this.#series.set(found[1]!, [...(this.#series.get(found[1]!) ?? []), { labels, value: Number(found[3]) }]);
    }
  }

  /** The values of all series with these labels. */
  all(name: string, labels: Record<string, string> = {}): number[] {
    const series = (this.#series.get(name) ?? []).filter((each) =>
      Object.entries(labels).every(([label, value]) => each.labels[label] === value),
    );
    return series.map(({ value }) => value);
  }

  /** The value of the only series with these labels. */
  value(name: string, labels: Record<string, string> = {}): number {
    const values = this.all(name, labels);
    if (values.length !== 1) throw new Error(`${name} ${JSON.stringify(labels)} has ${values.length} series`);
    return values[0]!;
  }
}

/** A series must have the labels that docs/metrics.md lists, because alerts and dashboards are checked against that page. */
function assertDefined(series: string, labels: string[]): void {
  const definition = metricDefinitions().find(({ name, kind }) =>
    kind === 'histogram' ? series.replace(/_(bucket|sum|count)$/, '') === name : series === name,
  );
  if (!definition) throw new Error(`${series} has no definition`);
  const given = labels.filter((label) => !(definition.kind === 'histogram' && label === 'le')).sort();
  const expected = definition.labels.toSorted();
  if (given.join() !== expected.join()) throw new Error(`${series} has the labels ${given.join()}, its definition ${expected.join()}`);
}

/** Turns on metrics until the test file ends, like the variable `<NAME>_METRICS_PORT`. Returns a function that scrapes them. */
export async function enableMetrics(): Promise<() => Promise<Scrape>> {
  const { url, close } = await startMetrics('test', '127.0.0.1', 0);
  onTestFileEnd(close);
  return async () => new Scrape(await (await fetch(url)).text());
}
