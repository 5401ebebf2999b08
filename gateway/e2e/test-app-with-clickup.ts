import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Integration, TaskToolConnection } from '@tandem/contracts';
import { ClickUpSandbox, type ClickUpSandboxOptions } from '@tandem/sandbox';
import { onTestFileEnd } from '@tandem/testing';
import type { Browser } from './client';
import { startTestApp, type TestApp } from './test-app';

export interface TestAppWithClickUp {
  app: TestApp;
  clickup: ClickUpSandbox;
}

/**
 * Starts all services with a ClickUp sandbox whose webhooks arrive through the gateway. The sandbox has no rate limit unless `options` sets
 * one.
 */
export async function startTestAppWithClickUp(
  overrides: Record<string, string | undefined> = {},
  options: ClickUpSandboxOptions = {},
): Promise<TestAppWithClickUp> {
  const deliveries = { retryDelayMs: 20, timeoutMs: 5_000, ...options.deliveries };
  const clickup = await ClickUpSandbox.start({ rateLimitPerMinute: Infinity, ...options, deliveries });
  onTestFileEnd(() => clickup.close());
  const proxy = await GatewayProxy.open();
  const app = await startTestApp({
    ...clickup.serviceEnv,
    WEBHOOK_BASE_URL: proxy.url,
    TASK_TOOL_TIMEOUT_MS: '5000',
    ...overrides,
  });
  proxy.target = app.gateway.url;
  return { app, clickup };
}

/** Connects the admin's organization with a personal token; `teams` limits what it sees. */
export async function connectClickUp(admin: Browser, clickup: ClickUpSandbox, teams?: string[]): Promise<TaskToolConnection> {
  const token = clickup.issueToken({ personal: true, ...(teams && { teams }) });
  const answer = await admin.post<TaskToolConnection>('/task-tool/connection', { provider: 'clickup', token });
  if (answer.status !== 201) throw new Error(`connecting returned ${answer.status}: ${answer.text}`);
  return answer.data;
}

/** The ids of a list in the sandbox and of its parents, as the integration form sends them. */
export function chosenList(clickup: ClickUpSandbox, list_name: string) {
  const list = clickup.list(list_name);
  const space = clickup.space(list.space_id);
  const workspace = clickup.team(space.team_id);
  return {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    space_id: space.id,
    space_name: space.name,
    list_id: list.id,
    list_name,
    field_mappings: {},
  };
}

export async function integrate(admin: Browser, clickup: ClickUpSandbox, list_name = 'Customer tickets'): Promise<Integration> {
  const answer = await admin.post<Integration>('/task-tool/integrations', chosenList(clickup, list_name));
  if (answer.status !== 201) throw new Error(`creating an integration returned ${answer.status}: ${answer.text}`);
  return answer.data;
}

/** A proxy whose address is known before the gateway's; forwards to the gateway once `target` is set. */
class GatewayProxy {
  target: string | undefined;

  private constructor(readonly url: string) {}

  static async open(): Promise<GatewayProxy> {
    const server = createServer((request, response) => void proxy.pass(request, response).catch(() => response.writeHead(502).end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy: GatewayProxy = new GatewayProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFileEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return proxy;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.target === undefined) return void response.writeHead(503).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const own = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];
    const headers = Object.entries(request.headers).filter(([name, value]) => value !== undefined && !own.includes(name));
    const answer = await fetch(this.target + (request.url ?? '/'), {
      method: request.method ?? 'POST',
      headers: headers.map(([name, value]): [string, string] => [name, [value].flat().join(', ')]),
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  }
}
