import { join } from 'node:path';
import { repository } from './local-directory.ts';
import { projectNode } from './mailbox.ts';
import type { ProcessDefinition } from './managed-process.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** The variable that allows webhooks to the sink. Not set if PUBLIC_URL is https: notifications treats that as production and refuses to start. */
export const webhookSinkEnv = (port: number, env: Record<string, string>): Record<string, string> =>
  env.PUBLIC_URL?.startsWith('http:')
    ? { WEBHOOK_TEST_RECEIVERS: [env.WEBHOOK_TEST_RECEIVERS, `localhost:${port}`, `127.0.0.1:${port}`].filter(Boolean).join(',') }
    : {};

/** The webhook sink (deploy/sandbox) as a process. */
export function webhookSinkProcess(directory: string, port: number, spawned: (identity: ProcessIdentity) => void): ProcessDefinition {
  return {
    name: 'webhook-sink',
    logFile: join(directory, 'logs', 'webhook-sink.log'),
    command: () => ({
      file: projectNode(),
      args: ['--enable-source-maps', join(repository, 'deploy', 'dist', 'webhook-sink.js')],
      cwd: repository,
      env: { PATH: process.env.PATH, WEBHOOK_SINK_HOST: '127.0.0.1', WEBHOOK_SINK_PORT: String(port) },
    }),
    async ready() {
      const answer = await fetch(`http://127.0.0.1:${port}/api/instance`, { signal: AbortSignal.timeout(2000) });
      const { sink } = (await answer.json()) as { sink?: boolean };
      if (!sink) throw new Error(`another program answers on port ${port}`);
    },
    readyWithinMs: 30_000,
    stopSignal: 'SIGTERM',
    graceMs: 3000,
    spawned,
  };
}
