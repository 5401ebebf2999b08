import type { Context, ExternalStatus } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsSchema } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { renamed, withRenamed } from '../merge/status';
import { logSync } from '../engine/sync-log.store';
import { saveIntegration } from './reconcile.store';

/**
 * Reads the list's statuses again. The mapping follows renamed statuses; a removed status that it still names is logged once, when it is
 * found to be missing. Returns the saved values.
 */
export async function describeList(
  db: Database<IntegrationsSchema>,
  ctx: Context,
  integration: IntegrationRow,
  call: ToolCall,
  now: string,
): Promise<Pick<IntegrationRow, 'list_name' | 'statuses' | 'status_mappings'>> {
  const tool = getTaskTool(integration.provider);
  const { name, statuses, fields } = await tool.describeList(call, integration.list_id);
  const { followed, removed, status_mappings } = compareStatuses(integration, statuses);
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, {
      list_name: name,
      statuses: JSON.stringify(statuses),
      list_fields: JSON.stringify(fields),
      described_at: now,
      status_mappings: JSON.stringify(status_mappings),
    });
    for (const [old, fresh] of followed)
      await logSync(tx, integration, {
        level: 'info',
        field: 'status',
        message: `The list’s status “${old}” was renamed to “${fresh}”. The status mapping was updated.`,
      });
    for (const wanted of removed)
      await logSync(tx, integration, {
        level: 'warning',
        field: 'status',
        message: `The list no longer has the status “${wanted}”. Choose another in the status mapping.`,
      });
  });
  return { list_name: name, statuses, status_mappings };
}

/** The mapping with renamed statuses, those of its statuses that were renamed (old name and new name), and those that were removed. */
function compareStatuses(integration: Pick<IntegrationRow, 'statuses' | 'status_mappings'>, statuses: ExternalStatus[]) {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const has = (list: ExternalStatus[], name: string) => list.some((status) => isSame(status.name, name));
  const names = renamed(integration.statuses, statuses);
  const mapped = Object.values(integration.status_mappings).filter((name) => name !== null);
  const followed = [...names].filter(([old]) => mapped.some((name) => isSame(name, old)));
  const status_mappings = followed.length > 0 ? withRenamed(integration.status_mappings, names) : integration.status_mappings;
  const removed = [...new Set(Object.values(status_mappings))].filter(
    (name) => name !== null && has(integration.statuses, name) && !has(statuses, name),
  );
  return { followed, removed, status_mappings };
}
