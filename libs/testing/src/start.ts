import { startService, type RunningService, type ServiceConfig, type ServiceDefinition } from '@tandem/platform';
import { onTestFileEnd } from './on-test-file-end';
import type { Env } from './env';

/**
 * Starts a service (or the gateway) in this process on a free port, exactly as its `main.ts` would, except for `env` (see `testEnv`). It is
 * closed when the test file ends, if the test has not closed it before; repeated `close()` calls are fine.
 */
export async function startForTest<C extends ServiceConfig>(definition: ServiceDefinition<C>, env: Env): Promise<RunningService> {
  const service = await startService(definition, env);
  service.startJobs();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= service.close());
  onTestFileEnd(close);
  return { ...service, close };
}
