import type { Context } from '@tandem/contracts';
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
  const { name, statuses } = await tool.describeList(call, integration.list_id);
  const names = renamed(integration.statuses, statuses);
  const status_mappings = withRenamed(integration.status_mappings, names);
  const has = (list: { name: string }[], wanted: string) => list.some((status) => status.name.toLowerCase() === wanted.toLowerCase());
  const mapped = new Set(Object.values(integration.status_mappings).filter((wanted) => wanted !== null));
  const followed = [...names].filter(([old]) =>
    has(
      [...mapped].map((wanted) => ({ name: wanted })),
      old,
    ),
  );
  const lost = [...new Set(Object.values(status_mappings))].filter(
    (wanted) => wanted !== null && has(integration.statuses, wanted) && !has(statuses, wanted),
  );
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, {
      ...{ list_name: name, statuses: JSON.stringify(statuses), described_at: now },
      ...(followed.length > 0 && { status_mappings: JSON.stringify(status_mappings) }),
    });
    for (const [old, fresh] of followed)
      await logSync(tx, integration, {
        level: 'info',
        field: 'status',
        message: `The list’s status “${old}” is called “${fresh}” now, and the status mapping follows.`,
      });
    for (const wanted of lost)
      await logSync(tx, integration, {
        level: 'warning',
        field: 'status',
        message: `The list no longer has the status “${wanted}”. Choose another in the status mapping.`,
      });
  });
  return { list_name: name, statuses, status_mappings: followed.length > 0 ? status_mappings : integration.status_mappings };
}
