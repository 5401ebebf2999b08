import { readAnswer } from '../read';
import { ToolError, type ToolCall, type WebhookAtTool } from '../task-tool';
import { MadeWebhook, type Webhook, Webhooks } from './shapes';

/**
 * The subscribed events: those about synced fields, without duplicates. `taskUpdated` duplicates most others, but only it reports titles
 * and descriptions.
 */
export const events = [
  'taskStatusUpdated',
  'taskPriorityUpdated',
  'taskAssigneeUpdated',
  'taskTagUpdated',
  'taskUpdated',
  'taskMoved',
  'taskDeleted',
  'taskCommentPosted',
  'taskCommentUpdated',
  'listDeleted',
];

interface WebhookLocation {
  workspace_id: string;
  list_id: string;
}
const at = encodeURIComponent;

/** ClickUp generates the secret; a proposed one is not used. */
export async function ensureWebhook(call: ToolCall, place: WebhookLocation, address: string): Promise<WebhookAtTool> {
  const existing = await findOrCreate(call, place, address);
  if ('secret' in existing) return existing;
  const there = (await webhooksOf(call, place)).find(({ endpoint, list_id }) => endpoint === address && list_id === place.list_id);
  // An existing webhook whose secret is unknown, or with other events, is replaced by a new one.
  if (there && (!there.secret || !asksForOurs(there))) await removeWebhook(call, place, there.id);
  else if (there?.secret) {
    if (there.health && there.health.status !== 'active') await reviveWebhook(call, place, there.id, address);
    return { id: there.id, secret: there.secret };
  }
  const made = await findOrCreate(call, place, address);
  if ('secret' in made) return made;
  throw new ToolError('refused', 'ClickUp already has this webhook but does not list it', { code: 'OAUTH_171' });
}

async function findOrCreate(
  call: ToolCall,
  { workspace_id, list_id }: WebhookLocation,
  address: string,
): Promise<WebhookAtTool | { there: true }> {
  try {
    const body = { endpoint: address, events, list_id: Number(list_id) };
    const made = readAnswer(MadeWebhook, await call({ method: 'POST', path: `/v2/team/${at(workspace_id)}/webhook`, body }));
    return { id: made.id, secret: made.webhook.secret };
  } catch (error) {
    if (error instanceof ToolError && error.details.code === 'OAUTH_171') return { there: true };
    throw error;
  }
}

const asksForOurs = ({ events: asked }: Webhook): boolean => {
  const names = [asked ?? []].flat();
  return names.includes('*') || events.every((event) => names.includes(event));
};

/** ClickUp lists only webhooks created by this token's user: others count as missing. */
async function webhooksOf(call: ToolCall, { workspace_id }: WebhookLocation): Promise<Webhook[]> {
  return readAnswer(Webhooks, await call({ method: 'GET', path: `/v2/team/${at(workspace_id)}/webhook` })).webhooks;
}

export async function webhookHealth(call: ToolCall, place: WebhookLocation, webhook_id: string) {
  const webhook = (await webhooksOf(call, place)).find(({ id }) => id === webhook_id);
  if (!webhook) return 'missing';
  const status = webhook.health?.status;
  return status === 'suspended' || status === 'failing' ? status : 'active';
}

/**
 * ClickUp's guide specifies an array of events here, its schema only a string. `*` is valid in both, and sends more events than we read.
 */
export async function reviveWebhook(call: ToolCall, _place: WebhookLocation, webhook_id: string, address: string): Promise<void> {
  const revive = (asked: string[] | '*') =>
    call({ method: 'PUT', path: `/v2/webhook/${at(webhook_id)}`, body: { endpoint: address, events: asked, status: 'active' } });
  try {
    await revive(events);
  } catch (error) {
    if (!(error instanceof ToolError) || error.details.status !== 400) throw error;
    await revive('*');
  }
}

/** ClickUp answers 401 for a webhook that no longer exists: the list of webhooks shows whether that was the reason. */
export async function removeWebhook(call: ToolCall, place: WebhookLocation, webhook_id: string): Promise<void> {
  try {
    await call({ method: 'DELETE', path: `/v2/webhook/${at(webhook_id)}` });
  } catch (error) {
    if (!(error instanceof ToolError) || error.problem === 'unreachable' || error.problem === 'rate_limited') throw error;
    if ((await webhookHealth(call, place, webhook_id)) !== 'missing') throw error;
  }
}
