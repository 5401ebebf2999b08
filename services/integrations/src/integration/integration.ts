import type { Integration } from '@tandem/contracts';
import type { IntegrationRow } from '../schema';
import { healthOf, type Circumstances } from './health';

/** Each list is read and each webhook looked at every few minutes, all within the limit of one token. */
export const mostIntegrations = 20;

/** An integration as people see it. Member by member: a column that is added later (a secret, say) stays inside. */
export function shownIntegration(circumstances: Circumstances): Integration {
  const { integration: row, counts } = circumstances;
  return {
    ...{ id: row.id, organization_id: row.organization_id, provider: row.provider },
    ...{ workspace_id: row.workspace_id, workspace_name: row.workspace_name, space_id: row.space_id, space_name: row.space_name },
    ...{ list_id: row.list_id, list_name: row.list_name, ...settingsOf(row) },
    ...{ is_active: row.is_active, pause_reason: row.pause_reason, ...healthOf(circumstances), statuses: row.statuses },
    ...{ linked_count: counts.linked, pending_count: counts.pending, failed_count: counts.failed + counts.stopped },
    differing_count: counts.differing,
    ...{ last_sync_at: row.last_sync_at, created_at: row.created_at },
  };
}

/** What people set, of everything that a row holds. */
export const settingsOf = (row: IntegrationRow) => ({
  ...{ field_mappings: row.field_mappings, status_mappings: row.status_mappings, rules: row.rules },
  ...{ comment_sync: row.comment_sync, conflict_rule: row.conflict_rule },
  ...{ on_task_finished: row.on_task_finished, closed_meanings: row.closed_meanings, finished_reply: row.finished_reply },
});
export type Settings = ReturnType<typeof settingsOf>;

/** How the organization's log names an integration: ClickUp, Support / Customer tickets. */
export const placeOf = (tool: { name: string }, { workspace_name, space_name, list_name }: IntegrationRow): string =>
  `${tool.name}, ${[workspace_name, space_name, list_name].filter((name) => name !== null).join(' / ')}`;
