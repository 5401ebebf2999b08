import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';

/** A request may still be on its way: searched now, what it makes would be missed and made a second time. */
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

/** Whether a request that got no answer may take effect yet: it was sent, and nobody knows how far it came. */
export const mayBeUnderWay = (error: unknown): boolean =>
  error instanceof ToolError && error.problem === 'away' && error.details.sent === true;

/** As long as a call may take, once more: whoever has not answered in that time has not begun, or has ended. */
export const searchAfter = (timeoutMs: number) => sql<string>`clock_timestamp() + make_interval(secs => ${timeoutMs / 1_000})`;
