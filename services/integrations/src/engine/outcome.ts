/** What a sync of one link means for the rest of the run. */
export type Outcome = { kind: 'done' | 'unreachable' | 'broken' } | { kind: 'limited'; retry_at: string };
