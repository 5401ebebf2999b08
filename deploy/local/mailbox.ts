import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local-directory.ts';
import type { Instance, ServerKind } from './server.ts';
import { exchange } from './wire.ts';

/** The mail catcher (mail-catcher.ts) as a server of the instance: ports [SMTP, HTTP]. */
export function mailboxServer(instance: Instance): ServerKind {
  const dataDirectory = join(instance.directory, 'mailbox');
  return {
    name: 'mailbox',
    dataDirectory,
    proof: { executables: ['node'], commandPart: 'mail-catcher' },
    preferredPorts: instance.ephemeral ? [undefined, undefined] : [1025, 8025],
    stopSignal: 'SIGTERM',
    graceMs: 3000,
    prepare: () => void mkdirSync(dataDirectory, { recursive: true, mode: 0o700 }),
    command: ([smtpPort, httpPort]) => ({
      file: projectNode(),
      args: [join(import.meta.dirname, 'mail-catcher.ts')],
      cwd: dataDirectory,
      env: {
        NODE_OPTIONS: '',
        HOST: '127.0.0.1',
        MAILBOX_DIRECTORY: dataDirectory,
        SMTP_PORT: String(smtpPort),
        HTTP_PORT: String(httpPort),
      },
    }),
    async ready([, httpPort]) {
      const answer = await fetch(`http://127.0.0.1:${httpPort}/api/instance`, { signal: AbortSignal.timeout(2000) });
      const { directory } = (await answer.json()) as { directory?: string };
      if (directory !== realpathSync(dataDirectory)) throw new Error(`another program answers on port ${httpPort}`);
    },
  };
}

/** Throws if no SMTP server responds at this address. */
export async function checkSmtp(address: string): Promise<void> {
  const url = new URL(address);
  if (!url.port) url.port = url.protocol === 'smtps:' ? '465' : '25';
  const answer = await exchange(url, '', (text) => text.includes('\n'), 5000, url.protocol === 'smtps:');
  if (!answer.startsWith('220')) throw new Error(answer.trim());
}

/** The project's own Node (24, from the lock file) if it is installed, because it runs TypeScript. */
export function projectNode(): string {
  const file = join(repository, 'node_modules', '.bin', 'node');
  return existsSync(file) ? realpathSync(file) : process.execPath;
}
