import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api';
import { sdkKey } from './telemetry-key';

/** Our tracer. Without OTEL_EXPORTER_OTLP_ENDPOINT there is no SDK and its calls do nothing. */
export const tracer = (): Tracer => trace.getTracer('tandem');

/** The current trace as a `traceparent`, for a header of a message or a request; `undefined` if there is none. */
export function injectTrace(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/**
 * Runs `work` in a span that continues the trace of `traceparent` (a new trace without it). The span ends with the work and is marked
 * failed when it throws; the error is rethrown. Needed for NATS and Redis, which do not propagate traces automatically.
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

/**
 * Runs `work`, a request to another server, in a span of the current trace. Attributes follow OpenTelemetry's conventions and must not
 * contain URLs of customers, which may have tokens. `work` may add attributes that it learns from the response.
 */
export function withClientSpan<T>(spanName: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(spanName, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
      span.setStatus({ code: SpanStatusCode.ERROR });
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

/** Exports the buffered spans, waiting at most two seconds, so that an unreachable collector does not delay shutdown. */
export async function flushTraces(): Promise<void> {
  const sdk = (globalThis as { [sdkKey]?: Sdk })[sdkKey];
  if (!sdk) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushWithinMs)));
  await Promise.race([sdk.shutdown().catch(() => undefined), late]);
  clearTimeout(timer);
}
