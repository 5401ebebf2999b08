export interface LoggedRequest {
  method: string;
  /** With its query. */
  path: string;
  /** The path with its ids left open, as the documentation writes it; undefined where no route answers. */
  route: string | undefined;
  /** 0 where the client got no answer. */
  status: number;
  /** Milliseconds since 1970. */
  at: number;
}

const KEPT = 20_000;

/** What was asked: the last 20,000 requests, and a number for each route that never forgets. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  /** `POST /v2/list/{list_id}/task` → how often. */
  readonly counts = new Map<string, number>();

  add(entry: LoggedRequest): void {
    // Cutting off a quarter at once costs next to nothing; shifting one for one costs 20,000 moves each.
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
