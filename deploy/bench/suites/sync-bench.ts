import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import type * as Sandbox from '@tandem/sandbox';
import { repository } from '../../local/local-directory.ts';
import { step } from '../../local/steps.ts';
import { organizations } from '../seed.ts';
import { ask, expect, signIn, type SignedIn } from '../session.ts';
import { BenchSystem } from '../bench-system.ts';

export const tickets = 10_000;
/** ClickUp's most common plan allows 100 calls per minute; here the minute takes 600 ms. */
export const callsPerMinute = 100;
export const timesFaster = 100;
const size = { organizations: 1, first: tickets, each: tickets, commented: 10, people: 5 };
const list = 'Customer tickets';
const token = 'pk_bench';
const organization = organizations[0]!;

/** The built product, and in this process the task tool that its organization is connected to. */
export interface SyncBench {
  system: BenchSystem;
  tool: Sandbox.ClickUpSandbox;
  session: SignedIn;
  integration_id: string;
  /** Callbacks that run after each change in the task tool. */
  onChange: Set<() => void>;
  stop(): Promise<void>;
}

export async function startSyncBench(signal: AbortSignal): Promise<SyncBench> {
  const onChange = new Set<() => void>();
  const tool = await startTool(() => onChange.forEach((look) => look()));
  let system: BenchSystem | undefined;
  const stop = async () => {
    await system?.stop();
    await tool.close();
  };
  try {
    const addresses = { CLICKUP_API_URL: tool.apiUrl, CLICKUP_AUTHORIZE_URL: tool.authorizeUrl };
    system = await BenchSystem.start(signal, size, addresses);
    // The backfill includes only unresolved tickets.
    await system.query('tandem_tickets', `update tickets set status = 'open' where status in ('resolved', 'closed')`);
    const session = await signIn(system.gatewayOrigin, organization.people[0]!);
    const bench = { system, tool, session, onChange, stop };
    return { ...bench, integration_id: await step('connected, and all tickets exported', () => connect(bench)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Bundles and starts the sandbox, because Node alone cannot load the modules of a CommonJS package. */
async function startTool(onChange: () => void): Promise<Sandbox.ClickUpSandbox> {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-bench-tool-'));
  try {
    const bundle = await rolldown({ input: join(repository, 'deploy', 'sandbox', 'src', 'index.ts'), platform: 'node' });
    const file = join(directory, 'task-tool.cjs');
    await bundle.write({ file, format: 'cjs', codeSplitting: false });
    await bundle.close();
    const { ClickUpSandbox } = createRequire(import.meta.url)(file) as typeof Sandbox;
    const limit = { rateLimitPerMinute: callsPerMinute, timeScale: timesFaster };
    return await ClickUpSandbox.start({ ...limit, personalToken: token, checkWith: 'own-schemas', onChange });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Asking = Pick<SyncBench, 'system' | 'session'>;

export async function call<T>(
  { system, session }: Asking,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; data: T }> {
  return ask<T>(`${system.gatewayOrigin}/api/v1${path}`, {
    method,
    headers: { ...session.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function connect({ system, tool, session }: Asking & Pick<SyncBench, 'tool'>): Promise<string> {
  const asking = { system, session };
  expect('status of the connection', (await call(asking, 'POST', '/task-tool/connection', { provider: 'clickup', token })).status, 201);
  const [workspace, space, { id: list_id }] = [tool.team('Northwind'), tool.space('Support'), tool.list(list)];
  const { status, data } = await call<{ id: string }>(asking, 'POST', '/task-tool/integrations', {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    space_id: space.id,
    space_name: space.name,
    list_id,
    list_name: list,
    field_mappings: {},
  });
  expect('status of the integration', status, 201);
  const isTold = async () =>
    (await call<{ is_complete: boolean }>(asking, 'GET', `/task-tool/integrations/${data.id}/backfill`)).data.is_complete;
  await until(system, 'all tickets are exported', isTold, 300_000);
  return data.id;
}

/** Polls four times a second. */
export async function until(system: BenchSystem, what: string, holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await holds()); await sleep(250)) {
    system.signal.throwIfAborted();
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
  }
}

export const count = async (system: BenchSystem, database: string, from: string): Promise<number> =>
  (await system.query<{ n: number }>(database, `select count(*)::int as n from ${from}`))[0]!.n;

/** Whether the sync has no pending work. */
export const isQuiet = async (system: BenchSystem): Promise<boolean> =>
  (await count(system, 'tandem_integrations', 'links where next_sync_at is not null')) === 0;

/** Checks that no request violated ClickUp's interface, and that no link of a ticket and its task has failed. */
export async function expectConsistent({ system, tool }: SyncBench): Promise<void> {
  expect('calls that ClickUp would refuse', JSON.stringify(tool.violations), '[]');
  expect('links that are not synced', await count(system, 'tandem_integrations', `links where state <> 'linked'`), 0);
}
