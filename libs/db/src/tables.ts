import type { Envelope } from '@tandem/contracts';
import type { ColumnType, Generated } from 'kysely';

/** Read as the value; written as JSON text, because pg would encode an array as a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;

export interface OutboxTable {
  /** The event's id. */
  id: string;
  /** The order of publishing. */
  position: ColumnType<number, never, never>;
  organization_id: string | null;
  subject: string;
  type: string;
  sequence: number;
  envelope: Json<Envelope>;
  created_at: Generated<string>;
  published_at: Generated<string | null>;
}

export interface InboxTable {
  consumer: string;
  event_id: string;
  processed_at: Generated<string>;
}

export interface DeadLettersTable {
  id: string;
  consumer: string;
  event_id: string;
  envelope: Json<Envelope>;
  error: string;
  attempts: number;
  created_at: Generated<string>;
  replayed_at: Generated<string | null>;
}

export interface EventSequencesTable {
  subject: string;
  last: number;
}

export interface IdempotencyKeysTable {
  organization_id: string;
  operation: string;
  key: string;
  fingerprint: string;
  status: 'running' | 'done';
  response_status: number | null;
  response_headers: ColumnType<Record<string, string> | null, string | null | undefined, string | null>;
  response_body: Buffer | null;
  created_at: Generated<string>;
  lease_until: Generated<string | null>;
}

/** When this database was restored from a backup. */
export interface RestoresTable {
  id: Generated<string>;
  restored_at: Generated<string>;
  dumped_at: string;
}

/** Deleted tickets whose rows are deleted here. */
export interface TicketDeletionsTable {
  organization_id: string;
  ticket_id: string;
  keep_figures: boolean;
  erasure_id: string | null;
  passes: Generated<number>;
  next_pass_at: ColumnType<string, string | undefined>;
}

/** Exports of organizations to which this service is sending its part. */
export interface ExportRequestsTable {
  organization_id: string;
  export_id: string;
  /** The index of the source that is sent next. */
  source: Generated<number>;
  /** The end of the last page of that source. */
  after: Json<unknown> | null;
  next_index: Generated<number>;
  customer_email: string | null;
  created_at: Generated<string>;
}

/** Organizations whose rows are deleted here. */
export interface OrganizationDeletionsTable {
  organization_id: string;
  requested_at: Generated<string>;
  passes: Generated<number>;
  next_pass_at: ColumnType<string, string | undefined>;
  member_ids: Generated<string[]>;
  events_after: Generated<string | null>;
  failures: Generated<number>;
  completed_at: Generated<string | null>;
}

/** The tables that libs/db/migrations gives every service. */
export interface PlatformTables {
  outbox: OutboxTable;
  inbox: InboxTable;
  dead_letters: DeadLettersTable;
  event_sequences: EventSequencesTable;
  idempotency_keys: IdempotencyKeysTable;
  restores: RestoresTable;
  organization_deletions: OrganizationDeletionsTable;
  ticket_deletions: TicketDeletionsTable;
  export_requests: ExportRequestsTable;
}
