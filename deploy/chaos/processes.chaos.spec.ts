import { ChaosApp } from './chaos-app.ts';
import { analytics } from './scenarios/analytics.ts';
import { killedProcesses } from './scenarios/killed-processes.ts';
import { mailIn } from './scenarios/mail-in.ts';
import { ticketing } from './scenarios/ticketing.ts';

let app: ChaosApp;
beforeAll(async () => (app = await ChaosApp.start()), 120_000);
afterAll(() => app?.stop(), 60_000);
const running = () => app;

// In one file, because starting the product takes 14 CPU seconds.
const scenarios = { killedProcesses, mailIn, analytics, ticketing };
describe.each(Object.entries(scenarios))('%s', (_name, register) => register(running));
