import { Database, newId, indexesWithLeakyOperators, unprotectedTables } from '@tandem/db';
import { expectTenantIsolation, freshDatabase, tableColumns } from '@tandem/testing';
import { saveMember } from './member/member.store';
import { savePreferences } from './preference/preference.store';
import type { NotificationsSchema } from './schema';
import { memberOf } from '../test/notifications';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database<NotificationsSchema>;
beforeAll(async () => {
  database = await freshDatabase('notifications');
  db = new Database<NotificationsSchema>({ url: database.url });
});
afterAll(() => db?.close());

it('hides every table from another organization', async () => {
  expect(await unprotectedTables(database.ownerUrl)).toEqual([]);
  for (const organization_id of [newId(), newId()]) {
    const person = { organization_id, user_id: newId() };
    await db.forTenant(person, async (tx) => {
      await saveMember(tx, memberOf(organization_id, person.user_id), 1);
      await savePreferences(tx, person, {} as Parameters<typeof savePreferences>[2]);
      await tx
        .insertInto('notifications')
        .values({
          ...person,
          id: newId(),
          kind: 'assigned',
          ticket_id: newId(),
          ticket_number: 'A-1',
          subject: 's',
          actor_name: null,
          event_id: newId(),
          created_at: new Date().toISOString(),
          read_at: null,
        })
        .execute();
    });
  }
  await expectTenantIsolation(database);
});

it('has no index that row-level security keeps queries from using', async () =>
  expect(await indexesWithLeakyOperators(database.ownerUrl)).toEqual([]));

it('matches the migrated database, column by column', async () => {
  const email: Record<keyof NotificationsSchema['emails'], true> = {
    id: true,
    organization_id: true,
    kind: true,
    to_address: true,
    data: true,
    ticket_id: true,
    event_id: true,
    state: true,
    claimed_until: true,
    attempts: true,
    last_error: true,
    message_id: true,
    created_at: true,
    sent_at: true,
    due_at: true,
  };
  // The type makes this list complete: a missing or extra column does not compile.
  const columns: { [Table in keyof NotificationsSchema]: Record<keyof NotificationsSchema[Table], true> } = {
    emails: email,
    account_emails: email,
    organizations: { organization_id: true, name: true, subdomain: true, languages: true, is_demo: true, sequence: true },
    members: {
      organization_id: true,
      user_id: true,
      email: true,
      first_name: true,
      last_name: true,
      role: true,
      is_active: true,
      sequence: true,
    },
    notifications: {
      organization_id: true,
      id: true,
      user_id: true,
      kind: true,
      ticket_id: true,
      ticket_number: true,
      subject: true,
      actor_name: true,
      event_id: true,
      created_at: true,
      read_at: true,
    },
    sender_domains: {
      organization_id: true,
      domain: true,
      local_part: true,
      lookup: true,
      checked_at: true,
      next_check_at: true,
      bounces_verified_at: true,
      verified_at: true,
      created_at: true,
    },
    sender_keys: {
      organization_id: true,
      selector: true,
      sealed_private_key: true,
      public_key: true,
      state: true,
      created_at: true,
      retired_at: true,
    },
    mail_servers: {
      organization_id: true,
      host: true,
      port: true,
      security: true,
      username: true,
      sealed_password: true,
      from_address: true,
      tested_at: true,
      failing_since: true,
      last_error: true,
      retry_at: true,
      warned_hours: true,
    },
    notification_preferences: { organization_id: true, user_id: true, preferences: true },
    wording: { organization_id: true, language: true, key: true, text: true, sequence: true },
    branding: { organization_id: true, branding: true, sequence: true },
    received_messages: {
      organization_id: true,
      ticket_id: true,
      message_id: true,
      mail_references: true,
      subject: true,
      received_at: true,
    },
    bounced_addresses: { organization_id: true, address: true, reason: true, bounced_at: true },
    survey_invitations: { organization_id: true, ticket_id: true, created_at: true },
    task_sync_alerts: { organization_id: true, subject: true, problem: true, notified_at: true },
    webhook_endpoints: {
      organization_id: true,
      id: true,
      url: true,
      description: true,
      events: true,
      condition: true,
      payload: true,
      version: true,
      include_internal_notes: true,
      state: true,
      disabled_reason: true,
      failing_since: true,
      failing_event_id: true,
      other_failure_at: true,
      last_success_at: true,
      warned_hours: true,
      is_throttled: true,
      window_started_at: true,
      window_count: true,
      sealed_secret: true,
      secret_last_four: true,
      sealed_previous_secret: true,
      previous_secret_until: true,
      created_by: true,
      created_at: true,
      updated_at: true,
      deleted_at: true,
    },
    webhook_positions: { organization_id: true, last: true },
    webhook_events: {
      organization_id: true,
      id: true,
      position: true,
      type: true,
      ticket_id: true,
      ticket_number: true,
      sequence: true,
      occurred_at: true,
      is_internal: true,
      body: true,
      thin_body: true,
      created_at: true,
    },
    webhook_deliveries: {
      organization_id: true,
      id: true,
      endpoint_id: true,
      event_id: true,
      event: true,
      ticket_id: true,
      ticket_number: true,
      payload: true,
      state: true,
      cause: true,
      replay_id: true,
      attempts: true,
      last_status: true,
      last_error: true,
      next_attempt_at: true,
      claimed_until: true,
      delivered_at: true,
      created_at: true,
    },
    webhook_attempts: {
      organization_id: true,
      delivery_id: true,
      number: true,
      at: true,
      duration_ms: true,
      status: true,
      error: true,
      remote_address: true,
      request_headers: true,
      response_headers: true,
      response_body: true,
    },
    webhook_replays: {
      organization_id: true,
      id: true,
      endpoint_id: true,
      since: true,
      until: true,
      which: true,
      state: true,
      total: true,
      sent: true,
      last_position: true,
      next_batch_at: true,
      created_at: true,
    },
    webhook_hours: { organization_id: true, endpoint_id: true, hour: true, delivered: true, failed: true, durations: true },
    ticket_followers: {
      organization_id: true,
      ticket_id: true,
      ticket_number: true,
      subject: true,
      assigned_to: true,
      watchers: true,
      version: true,
      status_version: true,
    },
  };
  const real = await tableColumns(database);
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
});
