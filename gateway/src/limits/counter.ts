/** Maximum number of requests in a time window. */
export interface LimitRule {
  limit: number;
  windowSeconds: number;
  blockSeconds: number;
  /** A request whose response has this status or a higher one is refunded. */
  refundOn?: number;
}
/** A counter of requests. */
export interface Counter extends LimitRule {
  /** The key in Redis, without the prefix of the run. */
  key: string;
  /** The kind of the key that is counted; decides which counters a success resets. */
  of: 'account' | 'address' | 'recipient' | 'organization' | 'token';
}
export interface Count {
  counter: Counter;
  hits: number;
  remainingMs: number;
  /** This request exceeded the limit and started the block. */
  startsBlock: boolean;
}
export interface CountOutcome {
  sessionHasEnded: boolean;
  /** The version of the organization's data, if it was requested. */
  dataVersion: string | undefined;
  counts: Count[];
}
