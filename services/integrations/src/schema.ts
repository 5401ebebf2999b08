import type {
  ClosedMeanings,
  CommentSync,
  ConflictRule,
  CustomFieldOption,
  CustomFieldType,
  CustomFieldValues,
  ExternalStatus,
  FieldMappings,
  FinishedTaskRule,
  PauseReason,
  StatusMappings,
  SyncField,
  TaskRules,
  TicketPriority,
  TicketStatus,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ListField, TaskSnapshot } from './provider/task-tool';
import type { Shadow } from './merge/merge';

/** Read as a value and written as JSON text, so that a list is not mistaken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;
/** A column that is null or has its default if an insert omits it. */
type Optional<T> = ColumnType<T, T | undefined, T>;

interface Connections {
  id: string;
  organization_id: string;
  provider: string;
  state: Generated<'connected' | 'broken'>;
  kind: Generated<'oauth' | 'personal_token'>;
  sealed_webhook_secret: Optional<string | null>;
  sealed_token: Optional<string | null>;
  sealed_refresh_token: Optional<string | null>;
  token_expires_at: Optional<string | null>;
  account_id: Generated<string>;
  account_name: Generated<string>;
  connected_by: Optional<string | null>;
  connected_at: Generated<string>;
  broken_at: Optional<string | null>;
  probe_at: Optional<string | null>;
  probes: Generated<number>;
  refresh_lease_until: Optional<string | null>;
  tickets_exported: Generated<boolean>;
  lease_id: Optional<string | null>;
  lease_until: Optional<string | null>;
  blocked_until: Optional<string | null>;
  block_reason: Optional<'rate_limit' | 'unreachable' | null>;
  failures: Generated<number>;
  rate_limit: Optional<number | null>;
  rate_remaining: Optional<number | null>;
  rate_reset_at: Optional<string | null>;
  rate_window_start: Optional<string | null>;
  created_at: ColumnType<string, never>;
}

interface OauthStates {
  organization_id: string;
  state_hash: string;
  provider: string;
  user_id: string;
  expires_at: string;
}

interface Integrations {
  organization_id: string;
  id: string;
  connection_id: string;
  provider: string;
  workspace_id: string;
  workspace_name: string;
  space_id: string | null;
  space_name: string | null;
  list_id: string;
  list_name: string;
  field_mappings: Json<FieldMappings>;
  status_mappings: Json<StatusMappings>;
  rules: Json<TaskRules>;
  comment_sync: CommentSync;
  conflict_rule: ConflictRule;
  on_task_finished: FinishedTaskRule;
  closed_meanings: ColumnType<ClosedMeanings, string | undefined, string>;
  finished_reply: string | null;
  is_active: Generated<boolean>;
  pause_reason: Optional<PauseReason | null>;
  pause_detail: Optional<string | null>;
  probes: Generated<number>;
  unavailable_since: Optional<string | null>;
  statuses: Json<ExternalStatus[]>;
  list_fields: ColumnType<ListField[], string | undefined, string>;
  custom_fields_refused: Generated<boolean>;
  webhook_id: Optional<string | null>;
  sealed_webhook_secret: Optional<string | null>;
  webhook_state: Generated<'missing' | 'active' | 'failing' | 'suspended'>;
  next_check_at: Generated<string>;
  list_read_until: Optional<string | null>;
  described_at: Optional<string | null>;
  scanned_at: Optional<string | null>;
  scan_started_at: Optional<string | null>;
  scanned_until: Optional<string | null>;
  backfill_started_at: Optional<string | null>;
  backfill_finished_at: Optional<string | null>;
  backfill_total: Generated<number>;
  last_sync_at: Optional<string | null>;
  position: Optional<number | null>;
  created_at: Generated<string>;
}

interface TicketCopies {
  organization_id: string;
  ticket_id: string;
  sequence: number;
  ticket_number: string;
  subject: string;
  description: string | null;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  tags: string[];
  customer_name: string | null;
  customer_email: string;
  assignee_email: string | null;
  due_at: string | null;
  custom_fields: ColumnType<CustomFieldValues, CustomFieldValues | undefined, CustomFieldValues>;
  created_at: string;
  updated_at: string;
}

export type LinkState = 'creating' | 'linked' | 'failed' | 'stopped' | 'gone' | 'unlinked';

interface Links {
  organization_id: string;
  ticket_id: string;
  integration_id: string;
  connection_id: string;
  /** Not updateable: only `engine/link-state.ts` changes it. */
  state: ColumnType<LinkState, LinkState, never>;
  task_id: Optional<string | null>;
  task_url: Optional<string | null>;
  shadow: ColumnType<Shadow, string | undefined, string>;
  task: ColumnType<TaskSnapshot | null, string | null | undefined, string | null>;
  task_read_at: Optional<string | null>;
  task_notified_at: Optional<string | null>;
  pending_comment_ids: Generated<string[]>;
  comment_attempts: Generated<number>;
  comments_read_until: Optional<string | null>;
  scanned_at: Optional<string | null>;
  is_primary: Generated<boolean>;
  listed_tickets: Generated<string>;
  ticket_sequence: Generated<number>;
  next_sync_at: Optional<string | null>;
  urgency: Generated<0 | 1 | 2 | 3>;
  attempts: Generated<number>;
  create_started_at: Optional<string | null>;
  retry_search_at: Optional<string | null>;
  is_backfill: Generated<boolean>;
  writes: Generated<number>;
  write_window_start: Optional<string | null>;
  hour_writes: Generated<number>;
  hour_window_start: Optional<string | null>;
  deleted_list_id: Optional<string | null>;
  problem: Optional<string | null>;
  synced_at: Optional<string | null>;
  finished_at: Optional<string | null>;
  created_at: Generated<string>;
}

interface CommentLinks {
  organization_id: string;
  id: string;
  ticket_id: string;
  comment_id: Optional<string | null>;
  external_id: Optional<string | null>;
  content: Optional<string | null>;
  send_started_at: Optional<string | null>;
  retry_search_at: Optional<string | null>;
  state: 'pending' | 'sent' | 'failed' | 'received';
  created_at: string;
}

interface SyncLog {
  organization_id: string;
  id: string;
  integration_id: string;
  ticket_id: Optional<string | null>;
  ticket_number: Optional<string | null>;
  level: 'info' | 'warning' | 'error';
  direction: Optional<'to_task' | 'to_ticket' | null>;
  field: Optional<SyncField | null>;
  message: string;
  created_at: Generated<string>;
}

interface InboundWebhooks {
  id: string;
  organization_id: string;
  connection_id: string;
  fingerprint: string;
  body: Buffer;
  state: Generated<'stored' | 'done' | 'failed'>;
  event: ColumnType<string | null, string | null | undefined>;
  task_id: ColumnType<string | null, string | null | undefined>;
  last_error: ColumnType<string | null, string | null | undefined>;
  received_at: ColumnType<string, never>;
  processed_at: ColumnType<string | null, string | null | undefined>;
}

interface CustomFields {
  organization_id: string;
  id: string;
  sequence: number;
  key: string;
  type: CustomFieldType;
  label: string;
  options: Json<CustomFieldOption[]>;
  position: number;
  is_deleted: boolean;
}

/** The tables of this service's database. */
export interface IntegrationsSchema {
  connections: Connections;
  oauth_states: OauthStates;
  integrations: Integrations;
  custom_fields: CustomFields;
  ticket_copies: TicketCopies;
  links: Links;
  comment_links: CommentLinks;
  sync_log: SyncLog;
  inbound_webhooks: InboundWebhooks;
}
export type IntegrationsTx = Tx<IntegrationsSchema>;
export type CustomFieldDefinition = Pick<Selectable<CustomFields>, 'key' | 'type' | 'label' | 'options'>;
export type ConnectionRow = Selectable<Connections>;
export type IntegrationRow = Selectable<Integrations>;
export type TicketCopy = Selectable<TicketCopies>;
export type LinkRow = Selectable<Links>;
export type CommentLinkRow = Selectable<CommentLinks>;
