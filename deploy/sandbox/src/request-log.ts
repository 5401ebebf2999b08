export interface LoggedRequest {
  method: string;
  /** With the query string. */
  path: string;
  /** The path with placeholders for ids, as in the documentation; undefined if no route matches. */
  route: string | undefined;
  /** The header with the token. */
  authorization: string | undefined;
  /** 0 if the client got no response. */
  status: number;
  /** Milliseconds since 1970. */
  at: number;
}

const KEPT = 20_000;

/** The last 20,000 requests, and a permanent count per route. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  /** `POST /v2/list/{list_id}/task` → how often. */
  readonly counts = new Map<string, number>();

  add(entry: LoggedRequest): void {
    // Removing a quarter at once is cheap; removing one at a time would move 20,000 entries each time.
    if (this.entries.length >= KEPT) this.entries.splice(0, KEPT / 4);
    this.entries.push(entry);
    const key = `${entry.method} ${entry.route ?? entry.path}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  clear(): void {
    this.entries.length = 0;
    this.counts.clear();
  }
}
