import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectNode } from './mailbox.ts';
import type { ProcessDefinition } from './managed-process.ts';
import type { ProcessIdentity } from './process-identity.ts';

/**
 * Memory settings of Node, as in a container; the Dockerfile has all but the last.
 * - The space for new objects, three times per process, which a busy process fills before it collects garbage. With 4 MB, collecting costs a
 *   twelfth more of the CPU time of a request; with 16, the processes need 40 to 100 MB more together. All services in one process are for
 *   small installations, which rather save memory.
 * - The growth of the heap, in percent of its live objects, until V8 collects all of it (docs/decisions/0057-growth-of-heaps.md).
 * - What Node derives from a container's limit of 512 MB.
 */
const memoryFlags = ({ isOneProcess }: { isOneProcess: boolean }) => [
  `--max-semi-space-size=${isOneProcess ? 4 : 8}`,
  '--heap-growing-percent=100',
  `--max-old-space-size=${isOneProcess ? 512 : 256}`,
];

export interface ProductProcess {
  name: string;
  /** The folder of the built process. */
  bundle: string;
  /** All ports that answer `/health/ready`: several if all services run in one process. */
  ports: string[];
  /** The directory of the instance; contains the logs. */
  directory: string;
  env: () => Record<string, string>;
  spawned(identity: ProcessIdentity): void;
}

/** A process of the product from its bundle. */
export function productProcess({ name, bundle, ports, directory, env, spawned }: ProductProcess): ProcessDefinition {
  const flags = memoryFlags({ isOneProcess: ports.length > 1 });
  const preload = existsSync(join(bundle, 'otel.js')) ? ['--require', join(bundle, 'otel.js')] : [];
  return {
    name,
    logFile: join(directory, 'logs', `${name}.log`),
    command: () => ({ file: projectNode(), args: [...flags, ...preload, join(bundle, 'main.js')], cwd: dirname(bundle), env: env() }),
    async ready() {
      for (const port of ports) await checkReady(port);
    },
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    // The gateway of a single process stops before its services.
    graceMs: 6000 * Math.min(ports.length, 2),
    spawned,
  };
}

async function checkReady(port: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2000) });
  if (!answer.ok) throw new Error(`/health/ready returned ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
}
