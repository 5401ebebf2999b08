import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';

/** A request may still be in flight: if the tool were searched now, its result would be missed and created a second time. */
export class StillInFlight extends Error {
  constructor(readonly until: string) {
    super('A request may still take effect');
    this.name = 'StillInFlight';
  }
}

/** Throws `StillInFlight` before `retry_search_at`. */
export function assertNotInFlight(retry_search_at: string | null): void {
  if (retry_search_at !== null && Date.parse(retry_search_at) > Date.now()) throw new StillInFlight(retry_search_at);
}

/** Whether a request without a response may still take effect: it was sent, and it is unknown how far it got. */
export const mayBeInFlight = (error: unknown): boolean =>
  error instanceof ToolError && error.problem === 'unreachable' && error.details.sent === true;

/** The maximum duration of a call, once more: after that, a request without a response can no longer take effect. */
export const searchTime = (timeoutMs: number) => sql<string>`clock_timestamp() + make_interval(secs => ${timeoutMs / 1_000})`;
