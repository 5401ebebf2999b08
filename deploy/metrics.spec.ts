import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allMetrics, metricNamesInSource, metricsPage } from './metrics';

describe('metrics', () => {
  it('agree with docs/metrics.md (npm run docs writes it again)', () => {
    const file = join(__dirname, '../docs/metrics.md');
    const text = metricsPage(allMetrics());
    if (process.env.UPDATE_DOCS) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('are all declared by a module that some process loads', () => {
    expect(allMetrics().map(({ name }) => name)).toEqual(metricNamesInSource());
  });

  it('have the names that Prometheus recommends', () => {
    const wrong = allMetrics().filter(({ name, kind }) => {
      const hasUnit = /_(seconds|bytes|ratio|timestamp_seconds)$/.test(name);
      if (kind === 'counter') return !name.endsWith('_total');
      if (kind === 'histogram') return !hasUnit;
      return name.endsWith('_total');
    });
    expect(wrong).toEqual([]);
  });
});
