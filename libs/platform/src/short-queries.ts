import type { NodeSDK } from '@opentelemetry/sdk-node';

type SpanExporter = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['traceExporter']>;
type Span = Parameters<SpanExporter['export']>[0][number];

/** A request sends a dozen short queries: their spans would be most of the data that a collector stores. */
const shortMs = 5;
/** The status of a failed span (SpanStatusCode.ERROR). */
const failed = 2;

const isShortQuery = ({ instrumentationScope, duration: [seconds, nanoseconds], status }: Span): boolean =>
  instrumentationScope.name === '@opentelemetry/instrumentation-pg' &&
  seconds * 1e3 + nanoseconds / 1e6 < shortMs &&
  Number(status.code) !== failed;

/** Wraps an exporter so that spans of PostgreSQL queries reach it only if they took at least 5 ms or failed. */
export function withoutShortQueries(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(
        spans.filter((span) => !isShortQuery(span)),
        done,
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
