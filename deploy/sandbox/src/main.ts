/**
 * The local task tool of a Tandem, a process of its own: a stand-in for ClickUp with a page to move tasks by hand. On 127.0.0.1 unless
 * TASK_TOOL_HOST says otherwise. Reads:
 *   SANDBOX_DIRECTORY            where its state is kept (`task-tool.json`); without it nothing outlives the process
 *   TASK_TOOL_HTTP_PORT          the port; any free one unless said
 *   TASK_TOOL_HOST               the address to listen on
 *   TASK_TOOL_CLIENT_ID          of the application that may connect; sandbox-client unless said
 *   TASK_TOOL_CLIENT_SECRET      sandbox-secret unless said
 *   TASK_TOOL_REDIRECT_URIS      where it may send codes, separated by spaces; anywhere unless said
 *   TASK_TOOL_PERSONAL_TOKEN     a personal token (`pk_…`) of admin@demo.test that is good from the start; pk_sandbox_admin unless said
 *   CLICKUP_OPENAPI              ClickUp's reference, where it is not beside the repository
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ClickUpSandbox } from './clickup/sandbox';
import type { SavedState } from './clickup/state';
import { StateFile } from './state-file';

async function main(): Promise<void> {
  const { env } = process;
  const directory = env.SANDBOX_DIRECTORY ? existing(env.SANDBOX_DIRECTORY) : undefined;
  const path = directory ? join(directory, 'task-tool.json') : undefined;
  const saved = path ? await StateFile.read<SavedState>(path) : undefined;
  const file = path ? new StateFile<SavedState>(path, () => sandbox.save()) : undefined;
  const sandbox = await ClickUpSandbox.start({
    host: env.TASK_TOOL_HOST,
    port: Number(env.TASK_TOOL_HTTP_PORT ?? 0),
    clientId: env.TASK_TOOL_CLIENT_ID,
    clientSecret: env.TASK_TOOL_CLIENT_SECRET,
    redirectUris: env.TASK_TOOL_REDIRECT_URIS?.split(/\s+/).filter(Boolean),
    personalToken: env.TASK_TOOL_PERSONAL_TOKEN ?? 'pk_sandbox_admin',
    directory,
    saved,
    onChange: () => file?.changed(),
  });
  // The first state too: places must keep their ids even if nothing happens in them.
  await file?.flush();
  const judge = sandbox.validatedBy === 'clickup-openapi' ? 'ClickUp’s own reference' : 'our own schemas (ClickUp’s reference is not here)';
  console.log(`Task tool: ${sandbox.url} · requests are checked by ${judge}`);
  const stop = (): void => {
    void sandbox
      .close()
      .then(() => file?.flush())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function existing(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return realpathSync(directory);
}

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

main().catch(fail);
