import type { Json } from './schemas';
import recorded from './examples/examples.json';

/** A real request and its response, with ids, times and tokens replaced. `openapi-examples.e2e.spec.ts` records them. */
export interface Example {
  request: { params?: Record<string, string>; query?: Record<string, string>; body?: Json };
  /** The body of the response. */
  response?: unknown;
}

const examples = recorded as Record<string, Example>;

/** By the operation's id. */
export const exampleOf = (operationId: string): Example | undefined => examples[operationId];
