/**
 * The effect of a call's result on the connection: `done` none, `unreachable` the tool does not answer, `limited` nothing of this
 * urgency may be sent before `retry_at`, `broken` nothing may be sent at all.
 */
export type Outcome =
  | { kind: 'done'; /** The integration whose ticket was synced. */ integration_id?: string }
  | { kind: 'unreachable' | 'broken' }
  | { kind: 'limited'; retry_at: string };
