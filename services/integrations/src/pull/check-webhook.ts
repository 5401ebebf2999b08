import type { Context } from '@tandem/contracts';
import { newToken } from '@tandem/platform';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { IntegrationRow } from '../schema';
import { isTokenRejected } from '../tool/connection-health';
import { logSync } from '../engine/sync-log.store';
import { webhookAddress, webhookSecretPurpose } from './webhook';
import type { ReconcileDeps } from './reconcile-deps';
import { saveIntegration } from './reconcile.store';

/**
 * Makes sure that the list's webhook exists and sends, because tools drop undelivered events and suspend webhooks silently. Returns false
 * if events may have been lost since the last check. If the tool refuses webhooks, the list is still read.
 */
export async function checkWebhook(
  deps: ReconcileDeps,
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  call: ToolCall,
): Promise<boolean> {
  try {
    const { webhook_id } = integration;
    const health = webhook_id === null ? 'missing' : await tool.webhookHealth(call, integration, webhook_id);
    if (webhook_id === null || health === 'missing') return await createWebhook(deps, ctx, tool, integration, call);
    if (health === 'active') return await saveActive(deps, ctx, integration);
    await tool.reviveWebhook(call, integration, webhook_id, webhookAddress(deps.config, connectionOf(integration)));
    await deps.db.forTenant(ctx, async (tx) => {
      const recount = { scan_started_at: new Date().toISOString(), scanned_until: null };
      await saveIntegration(tx, integration, { webhook_state: 'active', ...recount });
      const how = health === 'suspended' ? 'had stopped sending changes' : 'could not send some changes';
      await logSync(tx, integration, {
        level: 'warning',
        message: `${tool.name} ${how}. It was reactivated, and missed changes are being read.`,
      });
    });
    return false;
  } catch (error) {
    if (!(await isRefused(error, tool, call))) throw error;
    await logRefusal(deps, ctx, tool, integration, error as ToolError);
    return false;
  }
}

const connectionOf = ({ connection_id, provider }: IntegrationRow) => ({ id: connection_id, provider });

/** If a tool uses the secret that we propose, its first webhook may arrive before its response: the secret is saved before the request. */
async function createWebhook(
  { db, secrets, config }: ReconcileDeps,
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  call: ToolCall,
) {
  const proposed = newToken();
  const seal = (secret: string) => secrets.seal(webhookSecretPurpose, secret);
  await db.forTenant(ctx, (tx) => saveIntegration(tx, integration, { webhook_id: null, sealed_webhook_secret: seal(proposed) }));
  const made = await tool.ensureWebhook(call, integration, webhookAddress(config, connectionOf(integration)), proposed);
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, { webhook_id: made.id, sealed_webhook_secret: seal(made.secret), webhook_state: 'active' });
    if (integration.webhook_id !== null)
      await logSync(tx, integration, {
        level: 'warning',
        message: `The webhook was missing in ${tool.name}. A new one was created, and missed changes are being read.`,
      });
  });
  // A list that was never read is read next from its integration's creation on, so no event can have been missed.
  return integration.webhook_id === null && integration.list_read_until === null;
}

async function saveActive({ db }: ReconcileDeps, ctx: Context, integration: IntegrationRow): Promise<boolean> {
  if (integration.webhook_state === 'active') return true;
  await db.forTenant(ctx, (tx) => saveIntegration(tx, integration, { webhook_state: 'active' }));
  return false;
}

/** A 401 may concern only the webhook or the workspace. */
async function isRefused(error: unknown, tool: TaskTool, call: ToolCall): Promise<boolean> {
  if (!(error instanceof ToolError)) return false;
  if (error.problem === 'unauthorized') return !(await isTokenRejected(tool, call));
  return error.problem === 'refused' || error.problem === 'missing';
}

/** Logged once, not at every check of the list. */
async function logRefusal(
  { db }: ReconcileDeps,
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  error: ToolError,
): Promise<void> {
  if (integration.webhook_state === 'missing' && integration.list_read_until !== null) return;
  const message = `${tool.name} does not send changes (${error.message}). They are read every few minutes instead.`;
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, { webhook_state: 'missing' });
    await logSync(tx, integration, { level: 'warning', message });
  });
}
