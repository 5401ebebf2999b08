import type { Backfill, Integration, TaskToolChoice } from '@tandem/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from './sign-in.ts';
import { demoToken } from './task-tool.ts';

/** Workspace, space and list of the local task tool that the demo organization uses. */
const place = { workspace: 'Northwind', space: 'Support', list: 'Customer tickets' };
/** Of a request that changes nothing. Integrations waits 8 seconds for the task tool before it answers 503. */
const readAttempts = 3;
const retry = { attempts: 120, pauseMs: 250 };

/**
 * Connects the demo organization to the local task tool, as its admin would: token, integration, and tasks for the existing tickets.
 * An existing connection is kept. On failure, throws with the API's message.
 */
export async function connectDemo(publicUrl: string, admin: { email: string; password: string }): Promise<void> {
  const { headers } = await signIn(publicUrl, admin);
  const call = async <T>(method: string, path: string, body?: object, attempt = 1): Promise<T> => {
    const answer = await fetch(`${publicUrl}/api/v1/task-tool/${path}`, {
      method,
      // The API rejects a request with a JSON content type and an empty body.
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data, title } = (await answer.json()) as { data: T; title?: string };
    if (answer.status === 503 && method === 'GET' && attempt < readAttempts) {
      await pause(1_000);
      return call(method, path, body, attempt + 1);
    }
    if (!answer.ok) throw new Error(`${method} /task-tool/${path}: ${answer.status} ${title ?? ''}`);
    return data;
  };
  const named = async (path: string, name: string): Promise<TaskToolChoice> => {
    const choices = await call<TaskToolChoice[]>('GET', path);
    const found = choices.find((choice) => choice.name === name);
    if (!found) throw new Error(`The local task tool has no “${name}”: ${choices.map((choice) => choice.name).join(', ')}`);
    return found;
  };

  const [there] = await call<Integration[]>('GET', 'integrations');
  if (there) return;
  await call('POST', 'connection', { provider: 'clickup', token: demoToken });
  const workspace = await named('workspaces', place.workspace);
  const space = await named(`spaces?workspace_id=${encodeURIComponent(workspace.id)}`, place.space);
  const list = await named(`lists?space_id=${encodeURIComponent(space.id)}`, place.list);
  const { id } = await call<Integration>('POST', 'integrations', {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    space_id: space.id,
    space_name: space.name,
    list_id: list.id,
    list_name: list.name,
    field_mappings: {},
  });
  // The demo's tickets are older than the connection, so wait until they have been imported.
  for (let i = 0; i < retry.attempts && !(await call<Backfill>('GET', `integrations/${id}/backfill`)).is_complete; i += 1)
    await pause(retry.pauseMs);
  await call('POST', `integrations/${id}/backfill`);
}
