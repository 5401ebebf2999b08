import { SpanStatusCode, type Attributes } from '@opentelemetry/api';
import { counter, tracer } from '@tandem/platform';

/** Runs `work` in a child span; a failure marks the span and is rethrown. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

const counters = {
  tandem_events_published_total: counter('tandem_events_published_total', 'Events that the broker acknowledged, by type', ['type']),
  tandem_events_consumed_total: counter('tandem_events_consumed_total', 'Deliveries of events, by consumer and outcome', [
    'consumer',
    'outcome',
  ]),
  tandem_jobs_total: counter('tandem_jobs_total', 'Attempts of jobs, by type and outcome (done, retry, failed)', ['job', 'outcome']),
  tandem_dead_letters_total: counter('tandem_dead_letters_total', 'Events that a consumer gave up on, by consumer', ['consumer']),
  tandem_database_full_total: counter('tandem_database_full_total', 'Transactions that PostgreSQL refused because its disk is full', [
    'process',
  ]),
  tandem_event_stream_full_total: counter(
    'tandem_event_stream_full_total',
    'Attempts to publish events that NATS refused because its disk or the stream is full',
    ['process'],
  ),
};

/** Increments the counter. With 0, its series exists before the first event, so that Prometheus sees the first increase. */
export const count = (name: keyof typeof counters, attributes: Attributes, value = 1): void => counters[name].add(value, attributes);
