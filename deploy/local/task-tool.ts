import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local-directory.ts';
import { projectNode } from './mailbox.ts';
import type { ProcessDefinition } from './managed-process.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** Credentials of the local task tool's OAuth app; they protect nothing, so they need not be secret. */
const client = { CLICKUP_CLIENT_ID: 'sandbox-client', CLICKUP_CLIENT_SECRET: 'sandbox-secret' };
/** The personal token of the demo's admin in the local task tool. */
export const demoToken = 'pk_sandbox_admin';

/** Environment variables that make Tandem use the local task tool as ClickUp. */
export const taskToolEnv = (port: number): Record<string, string> => ({
  CLICKUP_API_URL: `http://127.0.0.1:${port}/api`,
  CLICKUP_AUTHORIZE_URL: `http://localhost:${port}/api`,
  ...client,
});

/** The local task tool (deploy/sandbox) as a process; its state is stored in the directory. */
export function taskToolProcess(directory: string, port: number, spawned: (identity: ProcessIdentity) => void): ProcessDefinition {
  const data = join(directory, 'task-tool');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  return {
    name: 'task-tool',
    logFile: join(directory, 'logs', 'task-tool.log'),
    command: () => ({
      file: projectNode(),
      args: ['--enable-source-maps', join(repository, 'deploy', 'dist', 'task-tool-sandbox.js')],
      cwd: repository,
      env: {
        PATH: process.env.PATH,
        TASK_TOOL_HOST: '127.0.0.1',
        TASK_TOOL_HTTP_PORT: String(port),
        SANDBOX_DIRECTORY: data,
        TASK_TOOL_CLIENT_ID: client.CLICKUP_CLIENT_ID,
        TASK_TOOL_CLIENT_SECRET: client.CLICKUP_CLIENT_SECRET,
        ...(process.env.CLICKUP_OPENAPI ? { CLICKUP_OPENAPI: process.env.CLICKUP_OPENAPI } : {}),
      },
    }),
    async ready() {
      const answer = await fetch(`http://127.0.0.1:${port}/sandbox/instance`, { signal: AbortSignal.timeout(2000) });
      const { directory: theirs } = (await answer.json()) as { directory?: string };
      if (theirs !== realpathSync(data)) throw new Error(`another program answers on port ${port}`);
    },
    readyWithinMs: 30_000,
    stopSignal: 'SIGTERM',
    graceMs: 3000,
    spawned,
  };
}
