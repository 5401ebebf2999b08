import type { ColumnType, Generated } from 'kysely';

interface Connections {
  id: string;
  organization_id: string;
  provider: string;
  sealed_webhook_secret: string;
  created_at: ColumnType<string, never>;
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

/** The tables of this service's database. */
export interface IntegrationsSchema {
  connections: Connections;
  inbound_webhooks: InboundWebhooks;
}
