import { indexesWithLeakyOperators, unprotectedTables } from '@tandem/db';
import { freshDatabase, tableColumns } from '@tandem/testing';
import type { AnalyticsSchema } from './schema';

it('leaves one table outside tenancy, has no index that it keeps queries from using, and agrees with the migrated database column by column', async () => {
  const database = await freshDatabase('analytics');
  // It contains no data of an organization.
  expect(await unprotectedTables(database.ownerUrl)).toEqual(['installation']);
  expect(await indexesWithLeakyOperators(database.ownerUrl)).toEqual([]);
  // The type makes this list complete: a missing or extra column does not compile.
  const columns: { [Table in keyof AnalyticsSchema]: Record<keyof AnalyticsSchema[Table], true> } = {
    organizations: {
      organization_id: true,
      time_zone: true,
      sequence: true,
      version: true,
      total: true,
      open: true,
      resolved: true,
      unassigned: true,
      recounted_at: true,
    },
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
    ticket_facts: {
      organization_id: true,
      ticket_id: true,
      ticket_number: true,
      status: true,
      priority: true,
      category: true,
      tags: true,
      channel: true,
      assigned_to: true,
      created_at: true,
      created_day: true,
      created_hour: true,
      first_response_at: true,
      resolved_at: true,
      first_response_time_hours: true,
      resolution_time_hours: true,
      breached_at: true,
      breached_day: true,
      escalated_at: true,
      reopen_count: true,
      public_reply_count: true,
      survey_sent_at: true,
      rating: true,
      feedback: true,
      rated_at: true,
      custom_fields: true,
      sequence: true,
    },
    ticket_moments: {
      organization_id: true,
      ticket_id: true,
      kind: true,
      at: true,
      day: true,
    },
    early_surveys: {
      organization_id: true,
      ticket_id: true,
      survey_sent_at: true,
      rating: true,
      feedback: true,
      rated_at: true,
    },
    day_roll_ups: {
      organization_id: true,
      dimension: true,
      key: true,
      day: true,
      backlog_growth: true,
      revision: true,
      figures: true,
      breakdown: true,
      packed: true,
    },
    dirty_days: {
      organization_id: true,
      day: true,
      marked_at: true,
    },
    rebuilds: {
      organization_id: true,
      rebuild_id: true,
      step: true,
      expected: true,
      last_ticket_id: true,
      started_at: true,
    },
    installation: {
      is_only_row: true,
      installed_at: true,
      announced_at: true,
    },
    reports: {
      organization_id: true,
      id: true,
      frequency: true,
      recipient_ids: true,
      created_by: true,
      created_at: true,
      next_at: true,
      last_sent_at: true,
      version: true,
      time_zone: true,
    },
  };
  const real = await tableColumns(database);
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
  await database.drop();
});
