import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface House {
  env: Record<string, string>;
  publicUrl: string;
  taskToolPort: number | undefined;
  configure(env: unknown): Promise<void>;
  migrate(signal: AbortSignal): Promise<string[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
interface Starter {
  startInfrastructure(options: object): Promise<{ env: { MAILBOX_URL: string }; stop(): Promise<void> }>;
  House: new (directory: string, log: (line: string) => void) => House;
}

/** The start scripts, imported dynamically because the web app itself must not depend on them. */
async function starter(): Promise<Starter> {
  const at = (file: string) => new URL(`../../deploy/local/${file}`, import.meta.url).href;
  return { ...(await import(at('infrastructure.ts'))), ...(await import(at('house.ts'))) };
}

/**
 * Starts the product on throw-away servers, unless BASE_URL and MAILBOX_URL name a running one. The rate limits are raised, because one
 * test client sends as many requests as a whole office.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.BASE_URL && process.env.MAILBOX_URL) return undefined;
  const { startInfrastructure, House } = await starter();
  const parent = join(tmpdir(), 'tandem-tests');
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, 'web-'));
  const infrastructure = await startInfrastructure({ directory, ephemeral: true, log: () => undefined });
  const house = new House(directory, () => undefined);
  const stop = async () => {
    await house.stop();
    await infrastructure.stop();
  };
  try {
    await house.configure(infrastructure.env);
    Object.assign(house.env, { LOG_LEVEL: 'warn', RATE_LIMIT_API_PER_MINUTE: '1000000', RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000' });
    await house.migrate(new AbortController().signal);
    await house.start();
  } catch (error) {
    await stop();
    throw error;
  }
  // For a test that starts another process of the product; these are secrets of throw-away servers.
  process.env.PRODUCT_ENV = JSON.stringify(house.env);
  process.env.BASE_URL = house.publicUrl;
  process.env.MAILBOX_URL = infrastructure.env.MAILBOX_URL;
  if (house.taskToolPort) process.env.TASK_TOOL_URL = `http://localhost:${house.taskToolPort}`;
  return stop;
}
