import { context, propagation, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { sdkKey } from './telemetry-key';

export { counter, histogram, meter } from './metrics';

/** Our tracer. Without OTEL_EXPORTER_OTLP_ENDPOINT there is no SDK and every call of it does nothing. */
export const tracer = (): Tracer => trace.getTracer('tandem');

/** The trace under way as a `traceparent`, for a header of a message or a request; `undefined` when there is none. */
export function injectTrace(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/**
 * Runs `work` in a span that continues the trace of `traceparent` (a new one without). The span ends with the work, marked
 * failed when it throws; what it throws goes on. NATS and Redis carry no trace by themselves: this is their other end.
 */
export async function withTrace<T>(traceparent: string | undefined, spanName: string, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
  return tracer().startActiveSpan(spanName, { kind: SpanKind.CONSUMER }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

interface Sdk {
  shutdown(): Promise<void>;
}

const flushWithinMs = 2000;

/** Sends the spans that are still in memory, for at most two seconds; a collector that is away does not hold a process up. */
export async function flushTraces(): Promise<void> {
  const sdk = (globalThis as { [sdkKey]?: Sdk })[sdkKey];
  if (!sdk) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushWithinMs)));
  await Promise.race([sdk.shutdown().catch(() => undefined), late]);
  clearTimeout(timer);
}
