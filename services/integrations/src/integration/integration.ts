import type { Integration } from '@tandem/contracts';
import type { IntegrationRow } from '../schema';
import { healthOf, type HealthInput } from './health';

/** Each list and its webhook is checked every few minutes, all within the rate limit of one token. */
export const maxIntegrations = 20;

/**
 * An integration for API responses. Fields are listed individually, so that columns added later (a secret, for example) are not exposed.
 */
export function publicIntegration(input: HealthInput): Integration {
  const { integration: row, counts } = input;
  return {
    id: row.id,
    organization_id: row.organization_id,
    provider: row.provider,
    workspace_id: row.workspace_id,
    workspace_name: row.workspace_name,
    space_id: row.space_id,
    space_name: row.space_name,
    list_id: row.list_id,
    list_name: row.list_name,
    ...settingsOf(row),
    is_active: row.is_active,
    pause_reason: row.pause_reason,
    ...healthOf(input),
    statuses: row.statuses,
    linked_count: counts.linked,
    pending_count: counts.pending,
    failed_count: counts.failed + counts.stopped,
    differing_count: counts.differing,
    last_sync_at: row.last_sync_at,
    created_at: row.created_at,
  };
}

/** The columns that are settings. */
export const settingsOf = (row: IntegrationRow) => ({
  field_mappings: row.field_mappings,
  status_mappings: row.status_mappings,
  rules: row.rules,
  comment_sync: row.comment_sync,
  conflict_rule: row.conflict_rule,
  on_task_finished: row.on_task_finished,
  closed_meanings: row.closed_meanings,
  finished_reply: row.finished_reply,
});
export type Settings = ReturnType<typeof settingsOf>;

/** An integration's name in the audit log: ClickUp, Support / Customer tickets. */
export const listPath = (tool: { name: string }, { workspace_name, space_name, list_name }: IntegrationRow): string =>
  `${tool.name}, ${[workspace_name, space_name, list_name].filter((name) => name !== null).join(' / ')}`;
