import { Database, migrate, newId, indexesWithLeakyOperators, unprotectedTables } from '@tandem/db';
import { freshDatabase, tableColumns, type FreshDatabase } from '@tandem/testing';
import { sql } from 'kysely';
import { join } from 'node:path';
import pg from 'pg';
import type { TicketsSchema } from './schema';
import { ticketNumber } from './ticket/ticket';
import { ticketFields, type StoredField } from './ticket/ticket-fields';

let database: FreshDatabase;
let db: Database<TicketsSchema>;
beforeAll(async () => {
  database = await freshDatabase('tickets');
  db = new Database<TicketsSchema>({ url: database.url });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

it('has row-level security on every table', async () => expect(await unprotectedTables(database.ownerUrl)).toEqual([]));

it('has no index that row-level security keeps queries from using', async () =>
  expect(await indexesWithLeakyOperators(database.ownerUrl)).toEqual([]));

it('declares exactly the columns of the migrated database', async () => {
  const ticketColumns = Object.fromEntries(ticketFields.map((field) => [field, true])) as Record<StoredField, true>;
  // The type makes this complete: a missing or an extra column does not compile.
  const columns: { [Table in keyof TicketsSchema]: Record<keyof TicketsSchema[Table], true> } = {
    tickets: {
      ...ticketColumns,
      description_preview: true,
      priority_rank: true,
      is_one_touch: true,
      task_sequence: true,
      changed_in: true,
    },
    exports: {
      organization_id: true,
      id: true,
      state: true,
      has_files: true,
      is_of_customer: true,
      sealed_email: true,
      missing_parts: true,
      run_id: true,
      lines_done: true,
      lines_total: true,
      pieces: true,
      created_by: true,
      created_at: true,
      finished_at: true,
      expires_at: true,
      is_deleted: true,
    },
    export_parts: {
      organization_id: true,
      export_id: true,
      service: true,
      index: true,
      file: true,
      lines: true,
      is_last: true,
    },
    imports: {
      organization_id: true,
      id: true,
      source: true,
      state: true,
      name: true,
      address: true,
      sealed_token: true,
      options: true,
      choices: true,
      teammates: true,
      statuses: true,
      priorities: true,
      counts: true,
      problems: true,
      progress: true,
      job_id: true,
      check_id: true,
      position: true,
      failure: true,
      has_files: true,
      has_records: true,
      created_by: true,
      created_at: true,
      updated_at: true,
      finished_at: true,
      undo_until: true,
      kept_count: true,
    },
    import_files: {
      organization_id: true,
      id: true,
      import_id: true,
      file_name: true,
      size: true,
      kind: true,
      upload_started_at: true,
      is_uploaded: true,
      columns: true,
      sample: true,
      mapping: true,
      created_at: true,
    },
    import_records: {
      organization_id: true,
      import_id: true,
      kind: true,
      key: true,
      parent: true,
      position: true,
      created_at: true,
      number: true,
      data: true,
      place: true,
      state: true,
      record_id: true,
      fingerprint: true,
    },
    import_problems: {
      organization_id: true,
      import_id: true,
      id: true,
      position: true,
      code: true,
      kind: true,
      key: true,
      file: true,
      line: true,
      field: true,
      value: true,
    },
    article_counters: {
      organization_id: true,
      last_number: true,
    },
    article_categories: {
      organization_id: true,
      id: true,
      number: true,
      name: true,
      description: true,
      position: true,
      updated_at: true,
    },
    articles: {
      organization_id: true,
      id: true,
      number: true,
      title: true,
      summary: true,
      body: true,
      language: true,
      category_id: true,
      visibility: true,
      published_version: true,
      first_published_at: true,
      ticket_id: true,
      updated_by: true,
      created_at: true,
      updated_at: true,
      deleted_at: true,
      version: true,
    },
    article_draft_texts: { organization_id: true, article_id: true, title: true, words: true },
    article_versions: {
      organization_id: true,
      article_id: true,
      number: true,
      title: true,
      summary: true,
      body: true,
      language: true,
      published_at: true,
      published_by: true,
    },
    article_texts: {
      organization_id: true,
      article_id: true,
      language: true,
      is_public: true,
      title: true,
      title_words: true,
      words: true,
    },
    article_pictures: {
      organization_id: true,
      id: true,
      article_id: true,
      file_name: true,
      size: true,
      content_type: true,
      created_at: true,
    },
    article_uses: {
      organization_id: true,
      article_id: true,
      day: true,
      views: true,
      suggestions_opened: true,
      solved: true,
    },
    article_ratings: {
      organization_id: true,
      article_id: true,
      reader: true,
      helpful: true,
      remark: true,
      version: true,
      rated_at: true,
      day: true,
    },
    help_days: {
      organization_id: true,
      day: true,
      views: true,
      suggestions_opened: true,
      solved: true,
      helpful: true,
      not_helpful: true,
      searches: true,
      searches_without_result: true,
    },
    help_searches: {
      organization_id: true,
      day: true,
      query: true,
      times: true,
      without_result: true,
    },
    custom_fields: {
      organization_id: true,
      id: true,
      key: true,
      type: true,
      label: true,
      hint: true,
      options: true,
      categories: true,
      form: true,
      shown_to_customers: true,
      set_by_widget: true,
      required_to_resolve: true,
      translations: true,
      position: true,
      deleted_at: true,
      updated_at: true,
    },
    ticket_field_values: {
      organization_id: true,
      key: true,
      value: true,
      number: true,
      status: true,
      created_at: true,
      ticket_id: true,
    },
    comments: {
      organization_id: true,
      id: true,
      ticket_id: true,
      content: true,
      is_internal: true,
      is_from_customer: true,
      user_id: true,
      customer_email: true,
      created_at: true,
      mentions: true,
      merged_from_id: true,
      has_original: true,
      email_proof: true,
      tool_author: true,
      imported_author: true,
      token: true,
      rule: true,
    },
    organizations: {
      organization_id: true,
      name: true,
      subdomain: true,
      ticket_prefix: true,
      sequence: true,
      time_zone: true,
      business_hours: true,
      holidays: true,
      auto_assign: true,
      default_priority: true,
      customer_follow_up: true,
      instant_lookup: true,
      is_demo: true,
      default_language: true,
      rules_version: true,
    },
    members: {
      organization_id: true,
      user_id: true,
      email: true,
      first_name: true,
      last_name: true,
      role: true,
      is_active: true,
      unread_since: true,
      sequence: true,
    },
    ticket_counters: { organization_id: true, prefix: true, last_number: true, unused_numbers: true },
    open_periods: { organization_id: true, ticket_id: true, opened_at: true, is_reopened: true, resolved_at: true },
    ticket_tags: { organization_id: true, tag: true, status: true, created_at: true, ticket_id: true },
    ticket_texts: { organization_id: true, created_at: true, ticket_id: true, source_id: true, search_text: true, words: true },
    views: { organization_id: true, id: true, name: true, filter: true, is_shared: true, owner_id: true, created_at: true },
    ticket_wake_times: { organization_id: true, ticket_id: true, wake_at: true },
    list_preferences: { organization_id: true, user_id: true, density: true, group_by: true, columns: true },
    activities: {
      organization_id: true,
      id: true,
      ticket_id: true,
      kind: true,
      actor_type: true,
      user_id: true,
      token: true,
      rule: true,
      changes: true,
      created_at: true,
    },
    ticket_reads: { organization_id: true, user_id: true, ticket_id: true, read_until: true },
    drafts: { organization_id: true, user_id: true, ticket_id: true, content: true, is_internal: true, updated_at: true, token: true },
    macros: {
      organization_id: true,
      id: true,
      name: true,
      content: true,
      translations: true,
      is_internal: true,
      changes: true,
      is_shared: true,
      owner_id: true,
      updated_at: true,
    },
    sla_policies: {
      organization_id: true,
      id: true,
      name: true,
      priority_level: true,
      response_time_hours: true,
      resolution_time_hours: true,
      escalation_enabled: true,
      escalation_time_hours: true,
      is_active: true,
      created_at: true,
    },
    sla_clocks: {
      organization_id: true,
      ticket_id: true,
      policy_id: true,
      policy_name: true,
      response_time_hours: true,
      resolution_time_hours: true,
      paused_ms: true,
      response_warned_at: true,
      response_breached_at: true,
      resolution_warned_at: true,
      resolution_breached_at: true,
      escalates_at: true,
      stopped_at: true,
      check_at: true,
    },
    attachments: {
      organization_id: true,
      id: true,
      file_name: true,
      size: true,
      content_type: true,
      upload_started_at: true,
      user_id: true,
      ticket_id: true,
      comment_id: true,
      created_at: true,
      from_customer: true,
    },
    member_loads: { organization_id: true, user_id: true, open_tickets: true, last_assigned_at: true },
    pending_unassignments: { organization_id: true, user_id: true, created_at: true },
    task_comments: { organization_id: true, ticket_id: true, external_id: true },
    ticket_exports: { organization_id: true, purpose: true, request_id: true, last_id: true, exported_count: true, created_at: true },
    widgets: { organization_id: true, identity_required: true, sealed_secret: true, sequence: true },
    surveys: { organization_id: true, ticket_id: true, customer_email: true, rating: true, feedback: true, created_at: true },
    sent_surveys: { organization_id: true, ticket_id: true, sent_at: true },
    mail_labels: { label: true, organization_id: true, last_used_at: true },
    bounce_domains: { organization_id: true, domain: true, created_at: true },
    inbound_mail_pieces: { organization_id: true, inbound_id: true, position: true, bytes: true },
    inbound_mails: {
      checks: true,
      client_address: true,
      client_name: true,
      organization_id: true,
      id: true,
      to_address: true,
      envelope_from: true,
      size: true,
      from_address: true,
      sender_mailbox: true,
      subject: true,
      message_id: true,
      content_hash: true,
      digest: true,
      outcome: true,
      reason: true,
      ticket_id: true,
      comment_id: true,
      received_at: true,
    },
    mail_originals: {
      organization_id: true,
      ticket_id: true,
      comment_id: true,
      from_address: true,
      subject: true,
      sent_at: true,
      text: true,
      quoted_text: true,
      html: true,
      created_at: true,
    },
    mailboxes: {
      organization_id: true,
      id: true,
      host: true,
      port: true,
      username: true,
      sealed_password: true,
      folder: true,
      is_active: true,
      last_polled_at: true,
      last_error: true,
      claimed_until: true,
      updated_at: true,
    },
    rules: {
      organization_id: true,
      id: true,
      name: true,
      position: true,
      triggers: true,
      time: true,
      condition: true,
      actions: true,
      stops: true,
      runs: true,
      is_active: true,
      disabled_reason: true,
      version: true,
      updated_by: true,
      updated_at: true,
    },
    rule_runs: {
      organization_id: true,
      id: true,
      rule_id: true,
      rule_version: true,
      ticket_id: true,
      trigger: true,
      changes: true,
      effects: true,
      problem: true,
      action_count: true,
      created_at: true,
    },
    rule_acts: { organization_id: true, ticket_id: true, rule_id: true, acted_for: true },
    rule_timers: { organization_id: true, ticket_id: true, check_at: true },
    rule_pauses: { organization_id: true, ticket_id: true, paused_until: true, created_at: true },
    quiet_tickets: { organization_id: true, ticket_id: true },
    retention_policies: {
      organization_id: true,
      is_active: true,
      action: true,
      months: true,
      kept_categories: true,
      next_run_at: true,
      updated_at: true,
    },
    erasures: {
      organization_id: true,
      id: true,
      sealed_email: true,
      email_hash: true,
      state: true,
      starts_at: true,
      requested_by: true,
      created_at: true,
      finished_at: true,
      ticket_count: true,
      is_requested: true,
      answers: true,
      remains: true,
    },
    rule_scans: { organization_id: true, last_id: true, created_at: true },
    demo_histories: { organization_id: true, member_ids: true, started_at: true },
    merges: {
      organization_id: true,
      source_id: true,
      target_id: true,
      source_version: true,
      target_version: true,
      restore: true,
      created_at: true,
    },
  };
  const real = await tableColumns(database);
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
});

it('can apply the repeatable migrations again', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>(
    `update schema_migrations set checksum = '' where source = 'repeatable' returning 'repeatable/' || name as name`,
  );
  await owner.end();
  const applied = await migrate({ url: database.ownerUrl, folder: join(__dirname, '../migrations') });
  expect(applied).toContain('repeatable/ticket_search.sql');
  expect(applied).toEqual(rows.map((row) => row.name).sort());
});

const ticket = (organization_id: string, id = newId()) => sql`
  insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
  values (${organization_id}, ${id}, 'X-' || ${id}, 'Findable', 'c@example.com', now(), now())`;

it('the search function reads one organization, and fails without one', async () => {
  const [mine, theirs] = [newId(), newId()];
  for (const organization_id of [mine, theirs]) await db.forTenant({ organization_id }, (tx) => ticket(organization_id).execute(tx));
  const search = sql<{ id: string }>`select id from find_tickets_by_text('{"needle": "%findable%", "typed": "findable"}', 'newest', 10, 0)`;
  expect((await db.forTenant({ organization_id: mine }, (tx) => search.execute(tx))).rows).toHaveLength(1);
  await expect(db.asSystem('test', (tx) => search.execute(tx))).rejects.toThrow();
  // Only the function's owner bypasses row-level security: without an organization, the service's role sees no rows in the table either.
  expect(await db.asSystem('test', (tx) => tx.selectFrom('tickets').select('id').execute())).toEqual([]);
});

it('rejects a comment on another organization’s ticket', async () => {
  const [mine, theirs, id] = [newId(), newId(), newId()];
  await db.forTenant({ organization_id: theirs }, (tx) => ticket(theirs, id).execute(tx));
  const intrusion = db.forTenant({ organization_id: mine }, (tx) =>
    tx
      .insertInto('comments')
      .values({
        organization_id: mine,
        id: newId(),
        ticket_id: id,
        content: 'x',
        is_internal: false,
        is_from_customer: false,
        user_id: null,
        mentions: [],
        merged_from_id: null,
        has_original: false,
        email_proof: null,
        tool_author: null,
        imported_author: null,
        token: null,
        rule: null,
        customer_email: null,
        created_at: new Date().toISOString(),
      })
      .execute(),
  );
  await expect(intrusion).rejects.toThrow(/foreign key/);
});

it('formats ticket numbers in SQL as `ticketNumber` does', async () => {
  for (const counter of [1, 999, 9_999, 10_000, 123_456]) {
    const { rows } = await db.asSystem('test', (tx) =>
      sql<{
        number: string;
      }>`select 'AB-' || lpad(${counter}::integer::text, greatest(4, length(${counter}::integer::text)), '0') as number`.execute(tx),
    );
    expect(rows[0]?.number).toBe(ticketNumber('AB', counter));
  }
});
