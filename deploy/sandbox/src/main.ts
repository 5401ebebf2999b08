/**
 * The local task tool of a Tandem, a separate process: a replacement for ClickUp with a page to move tasks manually. Listens on 127.0.0.1
 * unless TASK_TOOL_HOST is set. Reads:
 *   SANDBOX_DIRECTORY            directory of its state (`task-tool.json`); without it the state is lost at exit
 *   TASK_TOOL_HTTP_PORT          the port; default: any free one
 *   TASK_TOOL_HOST               the address to listen on
 *   TASK_TOOL_CLIENT_ID          of the application that may connect; default: sandbox-client
 *   TASK_TOOL_CLIENT_SECRET      default: sandbox-secret
 *   TASK_TOOL_REDIRECT_URIS      allowed redirect URIs, separated by spaces; default: all
 *   TASK_TOOL_PERSONAL_TOKEN     a personal token (`pk_…`) of admin@demo.test that is valid from the start; default: pk_sandbox_admin
 *   CLICKUP_OPENAPI              path of ClickUp's reference, if it is not next to the repository
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
  // Save the initial state too: places must keep their ids even without changes.
  await file?.flush();
  const validator =
    sandbox.validatedBy === 'clickup-openapi' ? 'ClickUp’s own reference' : 'our own schemas (ClickUp’s reference is not here)';
  console.log(`Task tool: ${sandbox.url} · requests are checked by ${validator}`);
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
