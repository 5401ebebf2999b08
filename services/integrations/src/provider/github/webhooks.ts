import { readAnswer } from '../read';
import { ToolError, type ToolCall, type WebhookAtTool } from '../task-tool';
import { repositoryPath } from './places';
import { Hook, Hooks } from './shapes';

const events = ['issues', 'issue_comment', 'repository'];
interface Place {
  list_id: string;
}
const hooksPath = ({ list_id }: Place): string => `${repositoryPath(list_id)}/hooks`;
const hookPath = (place: Place, id: string): string => `${hooksPath(place)}/${encodeURIComponent(id)}`;

/** We choose the secret, and GitHub never returns it: an existing webhook is updated with the new one. */
export async function ensureWebhook(call: ToolCall, place: Place, address: string, secret: string): Promise<WebhookAtTool> {
  const wanted = { active: true, events, config: { url: address, content_type: 'json', secret, insecure_ssl: '0' } };
  try {
    const answer = await call({ method: 'POST', path: hooksPath(place), body: { name: 'web', ...wanted } });
    return { id: readAnswer(Hook, answer).id, secret };
  } catch (error) {
    // "Hook already exists on this repository"
    if (!(error instanceof ToolError) || error.details.status !== 422) throw error;
    const hooks = readAnswer(Hooks, await call({ method: 'GET', path: `${hooksPath(place)}?per_page=100` }));
    const there = hooks.find(({ config }) => config.url === address);
    if (!there) throw error;
    await call({ method: 'PATCH', path: hookPath(place, there.id), body: wanted });
    return { id: there.id, secret };
  }
}

/** GitHub never disables a webhook automatically, but people do. */
export async function webhookHealth(call: ToolCall, place: Place, webhook_id: string) {
  try {
    const { active, last_response } = readAnswer(Hook, await call({ method: 'GET', path: hookPath(place, webhook_id) }));
    if (!active) return 'suspended';
    const code = last_response?.code;
    return code === null || code === undefined || (code >= 200 && code < 300) ? 'active' : 'failing';
  } catch (error) {
    if (error instanceof ToolError && error.problem === 'missing') return 'missing';
    throw error;
  }
}

/** Leaves out `config`, because it would be replaced as a whole, including the secret. The URL has a separate call. */
export async function reviveWebhook(call: ToolCall, place: Place, webhook_id: string, address: string): Promise<void> {
  const path = hookPath(place, webhook_id);
  const { config } = readAnswer(Hook, await call({ method: 'PATCH', path, body: { active: true, events } }));
  if (config.url !== address) await call({ method: 'PATCH', path: `${path}/config`, body: { url: address } });
}

export async function removeWebhook(call: ToolCall, place: Place, webhook_id: string): Promise<void> {
  try {
    await call({ method: 'DELETE', path: hookPath(place, webhook_id) });
  } catch (error) {
    if (!(error instanceof ToolError) || error.problem !== 'missing') throw error;
  }
}
