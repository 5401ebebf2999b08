import { chromium, type Browser, type Page } from '@playwright/test';
import { findChromium } from '../../local/chromium.ts';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { organizations } from '../seed.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';
import { installProbe, type Probe } from './web-probe.ts';

declare const probe: Probe; // defined in the page

const opened = Number(process.env.BENCH_OPENED ?? 200);
const loaded = Number(process.env.BENCH_ROWS ?? 10_000);
const clicks = 30;
const holdMs = 10_000;
/** The interval of a keyboard that repeats a held key 30 times a second. */
const repeatMs = 33;

interface Figures {
  warm: number[];
  cold: number[];
  filters: number[];
  heapMb: Record<string, number>;
  rows: number;
  frames: number[];
  held: Held;
}

interface Held {
  /** While `j` is held, and before that, with the same page at rest: the floor of this machine at this time. */
  frames: number[];
  idle: number[];
  passed: number;
  /** Requests for tickets that were passed, not counting the first and the last. */
  requests: number;
  /** Main thread CPU per step, in ms: unlike the duration of a frame, it hardly depends on what else the machine does. */
  cpuPerStep: number;
}

/** Measures user actions in Chromium: the list and the tickets of an organization with 10,000 of them. */
export async function webSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  let browser: Browser | undefined;
  try {
    const executablePath = await step('Chromium', (say) => findChromium(say));
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc'];
    browser = await chromium.launch({ executablePath, args });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(installProbe);
    await signIn(system, page);
    const figures = await measure(page);
    return report(figures);
  } finally {
    await browser?.close();
    await system.stop();
  }
}

async function signIn(system: BenchSystem, page: Page): Promise<void> {
  const { origin } = new URL(system.env('PUBLIC_URL'));
  const data = organizations[0]!.people[0]!;
  const answer = await page.context().request.post(`${origin}/api/v1/auth/sign-in`, { data });
  if (!answer.ok()) throw new Error(`sign-in of ${data.email}: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${origin}/tickets`);
  try {
    await page.locator('[data-ticket]').first().waitFor();
  } catch (cause) {
    throw new Error(`no list of tickets at ${page.url()}: ${(await page.locator('body').innerText()).slice(0, 500)}`, { cause });
  }
}

async function measure(page: Page): Promise<Figures> {
  // Tickets opened for the first time load their data; the second time it is cached. The warm-up loads the code.
  await step('warm-up', () => page.evaluate(() => probe.openSome(5)));
  const cold = await step(`${clicks} tickets, first click`, () => page.evaluate((count) => probe.openSome(count), clicks));
  const warm = await step(`${clicks} tickets, clicked again`, () => page.evaluate((count) => probe.openAgain(count), clicks));
  const held = await step('`j` held for 10 s', () => holdJ(page));
  const filters = await step('filter changes', () => page.evaluate(() => probe.changeFilters(['status=resolved', 'priority=urgent', 'sort=oldest', 'tag=vip', ''], 3)));
  const heapMb: Record<string, number> = { 'before': await heapOf(page) };
  await step(`${opened} tickets opened`, async () => {
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await page.evaluate((count) => probe.openSome(count), Math.round(opened / 4));
      heapMb[`after ${Math.round(opened * part)}`] = await heapOf(page);
    }
  });
  await page.evaluate(() => probe.closeTicket());
  // The cache keeps data for two minutes (web/src/app/api.ts): before that, the heap size shows the cache rather than leaks.
  await step('two idle minutes', () => page.waitForTimeout(130_000));
  heapMb['after 2 idle minutes'] = await heapOf(page);
  const rows = await step(`${loaded.toLocaleString('en')} rows loaded`, () => page.evaluate((count) => probe.load(count), loaded));
  const frames = await step('scrolled up and down', () => page.evaluate(() => probe.scroll(5_000)));
  return { warm, cold, filters, heapMb, rows, frames, held };
} // prettier-ignore

/** Next to an open ticket, as in triage. */
async function holdJ(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => ((await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
  const requested: string[] = [];
  const onRequest = (request: { url(): string }) => {
    const id = /\/tickets\/([0-9a-f-]{36})/.exec(new URL(request.url()).pathname)?.[1];
    if (id) requested.push(id);
  };
  await page.evaluate(() => probe.watchFrames());
  await page.waitForTimeout(holdMs / 4);
  const { frames: idle } = await page.evaluate(() => probe.stopFrames());
  await page.evaluate(() => probe.watchFrames());
  const cpuBefore = await cpu();
  page.on('request', onRequest);
  for (const begun = Date.now(); Date.now() - begun < holdMs;) {
    await page.keyboard.down('j');
    await page.waitForTimeout(repeatMs);
  }
  await page.keyboard.up('j');
  const used = (await cpu()) - cpuBefore;
  const { frames, passed } = await page.evaluate(() => probe.stopFrames());
  // The ticket at which the key is released may be requested; all others must not be, not even later.
  await page.waitForTimeout(2_000);
  page.off('request', onRequest);
  const between = new Set(passed.slice(1, -1));
  await session.detach();
  return { frames, idle, passed: passed.length, requests: requested.filter((id) => between.has(id)).length, cpuPerStep: used / passed.length };
} // prettier-ignore

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  // Twice: objects finalized in the first run are freed in the second.
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}

function report({ warm, cold, filters, heapMb, rows, frames, held }: Figures): Report {
  const spread = (figures: number[]) => [0.5, 0.95, 1].map((q) => quantile(figures, q).toFixed(0));
  const [first, ...others] = Object.values(heapMb) as [number, ...number[]];
  return {
    tables: [
      {
        title: 'In Chromium (headless, no GPU), a system with 10,000 tickets: from the action to the painted result, ms',
        columns: ['', 'p50', 'p95', 'longest', 'goal'],
        rows: [
          ['click to painted ticket, cached', ...spread(warm), '< 100'],
          ['the same, not cached', ...spread(cold), '< 100'],
          ['filter change to painted list', ...spread(filters), ''],
        ],
      },
      {
        title: `\`j\` held for ${holdMs / 1_000} s: ${held.passed} tickets passed, ${held.cpuPerStep.toFixed(1)} ms of the main thread each`,
        columns: ['', 'frames', 'median ms', 'longest ms', 'over 50 ms', 'requests for passed tickets', 'goal'],
        rows: [
          ['held', ...framesOf(held.frames), String(held.requests), 'no frame over 50 ms, no request'],
          ['at rest', ...framesOf(held.idle), '', ''],
        ],
      },
      {
        title: `Scrolling ${rows.toLocaleString('en')} loaded rows`,
        columns: ['frames', 'median ms', 'longest ms', 'over 50 ms', 'goal'],
        rows: [[...framesOf(frames), 'none over 50 ms']],
      },
      {
        title: 'JavaScript heap after a forced collection, MB',
        columns: [...Object.keys(heapMb), 'left per 100 tickets', 'goal'],
        rows: [[...Object.values(heapMb).map((mb) => mb.toFixed(1)), (((others.at(-1)! - first) / opened) * 100).toFixed(1), 'flat']],
      },
    ],
    figures: { warm, cold, filters, heapMb, rows, frames, held, opened },
    goals: [
      { id: 'G14', work: 'filter change to painted list, p50', measured: quantile(filters, 0.5), limit: 100, unit: 'ms' },
      { id: 'G14', work: 'click to painted ticket, p95', measured: quantile(cold, 0.95), limit: 100, unit: 'ms' },
      { id: 'G14', work: 'click to painted ticket, cached, p95', measured: quantile(warm, 0.95), limit: 100, unit: 'ms' },
      { id: 'G14', work: '`j` held for 10 s, longest frame', measured: quantile(held.frames, 1), limit: 50, unit: 'ms' },
      { id: 'G14', work: '`j` held for 10 s, requests for passed tickets', measured: held.requests, limit: 0, unit: 'requests' },
    ],
  };
}

const framesOf = (frames: number[]): string[] => [
  String(frames.length),
  quantile(frames, 0.5).toFixed(1),
  quantile(frames, 1).toFixed(0),
  String(frames.filter((ms) => ms > 50).length),
];
