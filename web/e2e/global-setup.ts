import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface LocalApp {
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
  LocalApp: new (directory: string, log: (line: string) => void, options: { oneProcess: boolean }) => LocalApp;
}

/** The start scripts, imported dynamically because the web app itself must not depend on them. */
async function starter(): Promise<Starter> {
  const at = (file: string) => new URL(`../../deploy/local/${file}`, import.meta.url).href;
  return { ...(await import(at('infrastructure.ts'))), ...(await import(at('local-app.ts'))) };
}

/**
 * Starts the product on throw-away servers, unless BASE_URL and MAILBOX_URL name a running one. The rate limits are raised, because one
 * test client sends as many requests as a whole office.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.BASE_URL && process.env.MAILBOX_URL) return undefined;
  const { startInfrastructure, LocalApp } = await starter();
  const parent = join(tmpdir(), 'tandem-tests');
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, 'web-'));
  const infrastructure = await startInfrastructure({ directory, ephemeral: true, log: () => undefined });
  // Starting six processes takes twice the CPU time of one with all services.
  const app = new LocalApp(directory, () => undefined, { oneProcess: true });
  const stop = async () => {
    await app.stop();
    await infrastructure.stop();
  };
  try {
    await app.configure(infrastructure.env);
    Object.assign(app.env, {
      LOG_LEVEL: 'warn',
      RATE_LIMIT_API_PER_MINUTE: '1000000',
      RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000',
      RATE_LIMIT_EMAIL_TESTS_PER_HOUR: '1000000',
      // Webhooks go to a receiver on this machine.
      ALLOW_PRIVATE_OUTBOUND: 'true',
    });
    await app.migrate(new AbortController().signal);
    await app.start();
  } catch (error) {
    await stop();
    throw error;
  }
  // For a test that starts another process of the product; these are secrets of throw-away servers.
  process.env.PRODUCT_ENV = JSON.stringify(app.env);
  process.env.BASE_URL = app.publicUrl;
  process.env.MAILBOX_URL = infrastructure.env.MAILBOX_URL;
  if (app.taskToolPort) process.env.TASK_TOOL_URL = `http://localhost:${app.taskToolPort}`;
  return stop;
}
