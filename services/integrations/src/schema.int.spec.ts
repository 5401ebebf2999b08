import { Database, unprotectedTables } from '@tandem/db';
import { freshDatabase, type FreshDatabase } from '@tandem/testing';
import { sql } from 'kysely';
import type { IntegrationsSchema } from './schema';

let database: FreshDatabase;
let db: Database<IntegrationsSchema>;
beforeAll(async () => {
  database = await freshDatabase('integrations');
  db = new Database<IntegrationsSchema>({ url: database.url });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

it('hides every table from another organization', async () => expect(await unprotectedTables(database.ownerUrl)).toEqual([]));

it('matches the migrated database, column by column', async () => {
  // The type makes this complete: a missing or additional column does not compile.
  const columns: { [Table in keyof IntegrationsSchema]: Record<keyof IntegrationsSchema[Table], true> } = {
    connections: {
      id: true, organization_id: true, provider: true, state: true, kind: true, sealed_webhook_secret: true, sealed_token: true,
      sealed_refresh_token: true, token_expires_at: true, account_id: true, account_name: true, connected_by: true,
      connected_at: true, broken_at: true, tickets_exported: true, lease_until: true, blocked_until: true, block_reason: true,
      failures: true, rate_limit: true, rate_remaining: true, rate_reset_at: true, created_at: true,
      probe_at: true, probes: true, refresh_lease_until: true, lease_id: true, rate_window_start: true,
    },
    oauth_states: { organization_id: true, state_hash: true, provider: true, user_id: true, expires_at: true },
    integrations: {
      organization_id: true, id: true, connection_id: true, provider: true, workspace_id: true, workspace_name: true,
      space_id: true, space_name: true, list_id: true, list_name: true, field_mappings: true, status_mappings: true, rules: true,
      comment_sync: true,
        conflict_rule: true,
        on_task_finished: true,
        closed_meanings: true,
        finished_reply: true,
        is_active: true,
        pause_reason: true,
      statuses: true, custom_fields_refused: true, webhook_id: true, sealed_webhook_secret: true, webhook_state: true,
      next_check_at: true, list_read_until: true, backfill_started_at: true, backfill_finished_at: true, backfill_total: true,
      last_sync_at: true, created_at: true, described_at: true, scanned_at: true,
      scan_started_at: true, scanned_until: true, position: true, pause_detail: true, probes: true, unavailable_since: true,
    },
    ticket_copies: {
      organization_id: true, ticket_id: true, sequence: true, ticket_number: true, subject: true, description: true, status: true,
      priority: true, category: true, tags: true, customer_name: true, customer_email: true, assignee_email: true, due_at: true,
      created_at: true, updated_at: true,
    },
    links: {
      organization_id: true, ticket_id: true, integration_id: true, connection_id: true, state: true, task_id: true, task_url: true,
      shadow: true,
        task: true,
        task_read_at: true,
        task_notified_at: true,
        pending_comment_ids: true,
        ticket_sequence: true,
        next_sync_at: true,
      urgency: true,
        attempts: true,
        create_started_at: true,
        is_backfill: true,
        writes: true,
        write_window_start: true,
        problem: true,
      is_primary: true,
        listed_tickets: true,
        synced_at: true,
        finished_at: true,
        created_at: true,
        comments_read_until: true,
        comment_attempts: true,
        scanned_at: true,
        deleted_list_id: true,
      retry_search_at: true, hour_writes: true, hour_window_start: true,
    },
    comment_links: {
      organization_id: true, id: true, ticket_id: true, comment_id: true, external_id: true, content: true, send_started_at: true,
      state: true, retry_search_at: true, created_at: true,
    },
    sync_log: {
      organization_id: true, id: true, integration_id: true, ticket_id: true, ticket_number: true, level: true, direction: true,
      field: true, message: true, created_at: true,
    },
    inbound_webhooks: {
      id: true, organization_id: true, connection_id: true, fingerprint: true, body: true, state: true, event: true, task_id: true,
      last_error: true, received_at: true, processed_at: true,
    },
  };
  const found = await db.asSystem('test', (tx) =>
    sql<{ table: string; columns: string[] }>`select table_name as "table", array_agg(column_name::text order by column_name) as columns
      from information_schema.columns where table_schema = 'public' group by table_name`.execute(tx),
  );
  const real = Object.fromEntries(found.rows.map((row) => [row.table, row.columns]));
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
});
