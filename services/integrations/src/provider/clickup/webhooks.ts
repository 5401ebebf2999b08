import { readAnswer } from '../read';
import { ToolError, type ToolCall, type WebhookAtTool } from '../task-tool';
import { MadeWebhook, type Webhook, Webhooks } from './shapes';

/** What is asked for: what travels, once each. `taskUpdated` is the twin of most others and alone tells of titles and descriptions. */
export const events = [
  ...['taskStatusUpdated', 'taskPriorityUpdated', 'taskAssigneeUpdated', 'taskTagUpdated', 'taskUpdated', 'taskMoved', 'taskDeleted'],
  ...['taskCommentPosted', 'taskCommentUpdated', 'listDeleted'],
];

interface Place {
  workspace_id: string;
  list_id: string;
}
const at = encodeURIComponent;

/** The secret is ClickUp's; the one that we propose is not asked for. */
export async function ensureWebhook(call: ToolCall, place: Place, address: string): Promise<WebhookAtTool> {
  const existing = await makeUnlessThere(call, place, address);
  if ('secret' in existing) return existing;
  const there = (await webhooksOf(call, place)).find(({ endpoint, list_id }) => endpoint === address && list_id === place.list_id);
  // Ours in every way, and yet it cannot be verified or asks for something else: a new one takes its place.
  if (there && (!there.secret || !asksForOurs(there))) await removeWebhook(call, place, there.id);
  else if (there?.secret) {
    if (there.health && there.health.status !== 'active') await reviveWebhook(call, place, there.id, address);
    return { id: there.id, secret: there.secret };
  }
  const made = await makeUnlessThere(call, place, address);
  if ('secret' in made) return made;
  throw new ToolError('refused', 'ClickUp has this webhook already, and does not show it', { code: 'OAUTH_171' });
}

async function makeUnlessThere(
  call: ToolCall,
  { workspace_id, list_id }: Place,
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

/** Only those that this token's person made: others are as good as missing. */
async function webhooksOf(call: ToolCall, { workspace_id }: Place): Promise<Webhook[]> {
  return readAnswer(Webhooks, await call({ method: 'GET', path: `/v2/team/${at(workspace_id)}/webhook` })).webhooks;
}

export async function webhookHealth(call: ToolCall, place: Place, webhook_id: string) {
  const webhook = (await webhooksOf(call, place)).find(({ id }) => id === webhook_id);
  if (!webhook) return 'missing';
  const status = webhook.health?.status;
  return status === 'suspended' || status === 'failing' ? status : 'active';
}

/** ClickUp's prose takes an array of events here, its schema a text only: `*` is right in both, and brings more than we read. */
export async function reviveWebhook(call: ToolCall, _place: Place, webhook_id: string, address: string): Promise<void> {
  const revive = (asked: string[] | '*') =>
    call({ method: 'PUT', path: `/v2/webhook/${at(webhook_id)}`, body: { endpoint: address, events: asked, status: 'active' } });
  try {
    await revive(events);
  } catch (error) {
    if (!(error instanceof ToolError) || error.details.status !== 400) throw error;
    await revive('*');
  }
}

/** ClickUp answers 401 for a webhook that is not there (any more): the list says whether it was that. */
export async function removeWebhook(call: ToolCall, place: Place, webhook_id: string): Promise<void> {
  try {
    await call({ method: 'DELETE', path: `/v2/webhook/${at(webhook_id)}` });
  } catch (error) {
    if (!(error instanceof ToolError) || error.problem === 'away' || error.problem === 'rate_limited') throw error;
    if ((await webhookHealth(call, place, webhook_id)) !== 'missing') throw error;
  }
}
