import { withoutShortQueries } from './short-queries';

type Exporter = Parameters<typeof withoutShortQueries>[0];
type Span = Parameters<Exporter['export']>[0][number];

const pg = '@opentelemetry/instrumentation-pg';
const span = (name: string, scope: string, ms: number, code = 0) =>
  ({ name, instrumentationScope: { name: scope }, duration: [Math.floor(ms / 1000), (ms % 1000) * 1e6], status: { code } }) as Span;

it('spans of queries are exported only if they took 5 ms or failed; all other spans always are', () => {
  const exported: string[] = [];
  const exporter = withoutShortQueries({
    export: (spans) => exported.push(...spans.map(({ name }) => name)),
    shutdown: async () => undefined,
  });
  const spans = [
    span('short query', pg, 4.9),
    span('query of 5 ms', pg, 5),
    span('long query', pg, 2_000),
    span('failed query', pg, 1, 2),
    span('short request', '@opentelemetry/instrumentation-http', 1),
    span('short job', 'tandem', 0.1),
  ];
  exporter.export(spans, () => undefined);
  expect(exported).toEqual(['query of 5 ms', 'long query', 'failed query', 'short request', 'short job']);
});
