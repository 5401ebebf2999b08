import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChaosApp } from './chaos-app.ts';
import { analytics } from './scenarios/analytics.ts';
import { customFields } from './scenarios/custom-fields.ts';
import { delayedEmails } from './scenarios/delayed-emails.ts';
import { erasures } from './scenarios/erasures.ts';
import { exports } from './scenarios/exports.ts';
import { imports } from './scenarios/imports.ts';
import { interruptedWork } from './scenarios/interrupted-work.ts';
import { killedProcesses } from './scenarios/killed-processes.ts';
import { mailIn } from './scenarios/mail-in.ts';
import { rules } from './scenarios/rules.ts';
import { ticketing } from './scenarios/ticketing.ts';
import { WebhookReceiver, webhooks } from './scenarios/webhooks.ts';

let app: ChaosApp;
let receiver: WebhookReceiver;
let temporary: string;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  temporary = await mkdtemp(join(tmpdir(), 'tandem-exports-'));
  app = await ChaosApp.start({ WEBHOOK_TEST_RECEIVERS: receiver.host, LIVE_DEMOS: '1', EXPORTS_DIR: temporary });
}, 120_000);
afterAll(async () => {
  receiver?.close();
  await app?.stop();
  await rm(temporary, { recursive: true, force: true });
}, 60_000);
const running = () => app;

// In one file, because starting the product takes 14 CPU seconds. `ticketing` turns on automatic assignment, so `interruptedWork` comes first.
// It also expects ticket numbers without gaps, so `imports` and `erasures` come last.
const scenarios = {
  interruptedWork,
  delayedEmails,
  killedProcesses,
  mailIn,
  analytics,
  rules: () => rules(running, () => receiver),
  customFields,
  exports,
  ticketing,
  webhooks: () => webhooks(running, () => receiver),
  imports,
  erasures,
};
describe.each(Object.entries(scenarios))('%s', (_name, register) => register(running));
