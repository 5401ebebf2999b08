import { ChaosApp } from './chaos-app.ts';
import { analytics } from './scenarios/analytics.ts';
import { customFields } from './scenarios/custom-fields.ts';
import { interruptedWork } from './scenarios/interrupted-work.ts';
import { killedProcesses } from './scenarios/killed-processes.ts';
import { mailIn } from './scenarios/mail-in.ts';
import { rules } from './scenarios/rules.ts';
import { ticketing } from './scenarios/ticketing.ts';
import { WebhookReceiver, webhooks } from './scenarios/webhooks.ts';

let app: ChaosApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  app = await ChaosApp.start({ WEBHOOK_TEST_RECEIVERS: receiver.host, LIVE_DEMOS: '1' });
}, 120_000);
afterAll(async () => {
  receiver?.close();
  await app?.stop();
}, 60_000);
const running = () => app;

// In one file, because starting the product takes 14 CPU seconds. `ticketing` turns on automatic assignment, so `interruptedWork` comes first.
const scenarios = {
  interruptedWork,
  killedProcesses,
  mailIn,
  analytics,
  rules,
  customFields,
  ticketing,
  webhooks: () => webhooks(running, () => receiver),
};
describe.each(Object.entries(scenarios))('%s', (_name, register) => register(running));
