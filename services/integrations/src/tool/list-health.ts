import type { Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { sql } from 'kysely';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { isTokenRejected, reportMissingList } from './connection-health';
import { retryFailedLinks } from '../engine/retry-failed.store';
import { logSync } from '../engine/sync-log.store';

/** Seconds until an unavailable list is requested again, then every hour. */
const probeSeconds = [15, 30, 60, 120, 300, 300, 600, 1_800, 3_600] as const;
/** After this long an admin is notified. Most outages of a workspace end sooner. */
const alertAfterMs = 15 * 60_000;

interface ListHealthDeps {
  db: Database<IntegrationsSchema>;
  ctx: Context;
  tool: TaskTool;
  call: ToolCall;
  connection: ConnectionRow;
}

const nextProbe = sql<string>`now() + make_interval(secs => (${sql.val([...probeSeconds])}::int[])[least(probes + 1, ${probeSeconds.length}::int)])`;

/**
 * The tool accepts the token but gives no access to the list: pauses the integration, without further calls, until a probe succeeds. Tools
 * also answer like this while a workspace is unavailable for a minute, so no link fails because of it.
 */
export async function pauseUnavailable(deps: ListHealthDeps, integration: IntegrationRow): Promise<void> {
  const pause_detail = await findCause(deps, integration);
  await deps.db.forTenant(deps.ctx, async (tx) => {
    const paused = await tx
      .updateTable('integrations')
      .set({
        is_active: false,
        pause_reason: 'unavailable',
        pause_detail,
        unavailable_since: sql<string>`now()`,
        probes: 1,
        next_check_at: nextProbe,
      })
      .where('id', '=', integration.id)
      .where('is_active', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (paused) await logSync(tx, integration, { level: 'warning', message: pause_detail });
  });
}

/**
 * Requests the list of an integration that is paused because it was not available. Throws the errors of `call` if the tool is down, limits
 * calls or no longer accepts the token.
 */
export async function probeList(deps: ListHealthDeps, integration: IntegrationRow): Promise<void> {
  const { db, ctx, tool, call } = deps;
  try {
    await tool.listChanged(call, integration.list_id, new Date().toISOString());
  } catch (error) {
    if (!(error instanceof ToolError) || (error.problem !== 'unauthorized' && error.problem !== 'missing')) throw error;
    if (await isTokenRejected(tool, call)) throw error;
    const pause_detail = await findCause(deps, integration);
    return db.forTenant(ctx, (tx) => postponeProbe(tx, ctx, integration, pause_detail));
  }
  await db.forTenant(ctx, (tx) => resumeAvailable(tx, ctx, integration));
}

async function postponeProbe(tx: IntegrationsTx, ctx: Context, integration: IntegrationRow, pause_detail: string): Promise<void> {
  const postponed = await whilePaused(tx, integration)
    .set({ probes: sql<number>`probes + 1`, next_check_at: nextProbe, pause_detail })
    .returning(['pause_reason', 'unavailable_since'])
    .executeTakeFirst();
  const isLong = Date.now() - Date.parse(postponed?.unavailable_since ?? '') >= alertAfterMs;
  if (postponed?.pause_reason !== 'unavailable' || !isLong) return;
  await whilePaused(tx, integration).set({ pause_reason: 'list_gone' }).execute();
  await reportMissingList(tx, ctx, integration, pause_detail);
}

/** Resumes the integration: sends waiting and failed changes, and reads the list for everything that happened in the meantime. */
async function resumeAvailable(tx: IntegrationsTx, ctx: Context, integration: IntegrationRow): Promise<void> {
  const resumed = await whilePaused(tx, integration)
    .set({ is_active: true, ...resumedValues })
    .returning('id')
    .executeTakeFirst();
  if (!resumed) return;
  await retryFailedLinks(tx, ctx, { integration_id: integration.id });
  const message = `The list “${integration.list_name}” is available again. Waiting changes are sent now.`;
  await logSync(tx, integration, { level: 'info', message });
}

/** Values set whenever an integration is resumed: its list is due to be read immediately. */
export const resumedValues = {
  pause_reason: null,
  pause_detail: null,
  unavailable_since: null,
  probes: 0,
  next_check_at: sql<string>`now()`,
};

/** Not one that a person has paused or resumed in the meantime. */
const whilePaused = (tx: IntegrationsTx, { id }: IntegrationRow) =>
  tx.updateTable('integrations').where('id', '=', id).where('is_active', '=', false).where('unavailable_since', 'is not', null);

/**
 * Why the list is not available, as shown to users: the workspace as a whole is checked, because one authorization decides on all of them.
 */
async function findCause(
  { db, tool, call, connection }: ListHealthDeps,
  { workspace_id, workspace_name, list_name }: IntegrationRow,
): Promise<string> {
  const isAccessible = await tool.listWorkspaces(call).then(
    (workspaces) => workspaces.some(({ id }) => id === workspace_id),
    () => true,
  );
  if (isAccessible)
    return `${tool.name} gives no access to the list “${list_name}” at the moment. Tandem keeps trying, and waiting changes are sent automatically.`;
  const lost = `${connection.account_name || 'The connected account'} no longer gives Tandem access to the workspace “${workspace_name}” in ${tool.name}.`;
  const isShared = await db.asSystem('other connections of the same account', (tx) => isAccountUsedAcrossOrganizations(tx, connection));
  return isShared
    ? `${lost} Another Tandem organization is connected with the same account, and both share one set of workspaces. Connect ${tool.name} again and select all workspaces of both.`
    : `${lost} Connect ${tool.name} again and select this workspace.`;
}

async function isAccountUsedAcrossOrganizations(
  tx: IntegrationsTx,
  { organization_id, provider, account_id }: ConnectionRow,
): Promise<boolean> {
  const other = await tx
    .selectFrom('connections')
    .select('id')
    .where('provider', '=', provider)
    .where('account_id', '=', account_id)
    .where('account_id', '<>', '')
    .where('organization_id', '<>', organization_id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
