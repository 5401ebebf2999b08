import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';

/** A request may still be in flight: if the tool were searched now, its result would be missed and created a second time. */
export class TooEarly extends Error {
  constructor(readonly until: string) {
    super('What was begun may still take effect');
    this.name = 'TooEarly';
  }
}

/** Throws `TooEarly` before `search_at`. */
export function mustNotBeUnderWay(search_at: string | null): void {
  if (search_at !== null && Date.parse(search_at) > Date.now()) throw new TooEarly(search_at);
}

/** Whether a request without a response may still take effect: it was sent, and it is unknown how far it got. */
export const mayBeUnderWay = (error: unknown): boolean =>
  error instanceof ToolError && error.problem === 'away' && error.details.sent === true;

/** The maximum duration of a call, once more: after that, a request without a response can no longer take effect. */
export const searchAfter = (timeoutMs: number) => sql<string>`clock_timestamp() + make_interval(secs => ${timeoutMs / 1_000})`;
