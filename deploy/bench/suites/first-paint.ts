import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { findChromium } from '../../local/chromium.ts';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { inDatabase, organizations, type Size } from '../seed.ts';
import type { Report } from '../report.ts';
import { quantile, shown, spread } from '../statistics.ts';
import { rebuildFirst, seedFacts } from './analytics-seed.ts';
import { installPaintProbe, type PaintProbe } from './paint-probe.ts';

declare const paintProbe: PaintProbe; // defined in the page

const runs = Number(process.env.BENCH_RUNS ?? 9);
/** Simulates a laptop that is a few years old. */
const slowDown = Number(process.env.BENCH_SLOW_DOWN ?? 4);
const goalMs = 1_500;
const size: Size = { organizations: 1, first: 5_000, each: 1, commented: 0, people: 20 };

interface Figures {
  painted: number[];
  /** CPU of the page's main thread until then: unlike the time, it hardly depends on what else the machine does. */
  cpu: number[];
  files: number;
  scriptKb: number;
}

/** A signed-in user opens /analytics directly, with a slowed-down processor: the time until the figures and the first chart are painted. */
export async function firstPaintSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  let browser: Browser | undefined;
  try {
    await step('facts and roll-ups of analytics', async () => {
      const url = system.databaseUrl('tandem_analytics');
      await seedFacts(url, size);
      await rebuildFirst(url, 1);
      while ((await inDatabase(url, async (client) => (await client.query('select 1 from rebuilds')).rowCount)) !== 0)
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
    const executablePath = await step('Chromium', (say) => findChromium(say));
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
    const { origin } = new URL(system.env('PUBLIC_URL'));
    const state = await signIn(browser, origin);
    const cold = await step(`${runs} first visits`, () => measure(browser!, origin, state, true));
    const warm = await step(`${runs} later visits`, () => measure(browser!, origin, state, false));
    return report({ cold, warm });
  } finally {
    await browser?.close();
    await system.stop();
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, origin: string): Promise<State> {
  const context = await browser.newContext();
  const answer = await context.request.post(`${origin}/api/v1/auth/sign-in`, { data: organizations[0]!.people[0]! });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** `isFirst`: each visit has an empty cache. The first of the visits is not counted, because the server computes the figures in it. */
async function measure(browser: Browser, origin: string, storageState: State, isFirst: boolean): Promise<Figures> {
  const figures: Figures = { painted: [], cpu: [], files: 0, scriptKb: 0 };
  const newContext = () => browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  let context = await newContext();
  for (let run = 0; run <= runs; run++) {
    if (isFirst) {
      await context.close();
      context = await newContext();
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(installPaintProbe);
    await page.goto(`${origin}/analytics`, { waitUntil: 'commit' });
    const { paintedMs, files, scriptBytes } = await page.evaluate(() => paintProbe.painted());
    const { metrics } = await session.send('Performance.getMetrics');
    if (run > 0) {
      figures.painted.push(paintedMs);
      figures.cpu.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000);
      if (isFirst) Object.assign(figures, { files, scriptKb: scriptBytes / 1_000 });
    }
    await page.close();
  }
  await context.close();
  return figures;
}

function report(visits: { cold: Figures; warm: Figures }): Report {
  const row = (name: string, { painted, cpu }: Figures) => [
    name,
    shown(spread(painted), 0),
    Math.max(...painted).toFixed(0),
    `≤ ${goalMs.toLocaleString('en')}`,
    shown(spread(cpu), 0),
  ];
  const { files, scriptKb } = visits.cold;
  return {
    tables: [
      {
        title: `/analytics at a CPU slow-down of ${slowDown}: from the address to painted figures and the first chart, ms`,
        columns: ['', 'median [quartiles]', 'longest', 'goal', 'CPU of the main thread'],
        rows: [row('first visit (empty cache)', visits.cold), row('later visit', visits.warm)],
      },
      {
        title: 'Scripts of the first visit until then',
        columns: ['files', 'KB, compressed'],
        rows: [[String(files), scriptKb.toFixed(0)]],
      },
    ],
    figures: { ...visits, runs, slowDown },
    goals: [
      {
        id: 'G14',
        work: '/analytics, first visit to painted figures at 4 × slow-down, p50',
        measured: quantile(visits.cold.painted, 0.5),
        limit: goalMs,
        unit: 'ms',
      },
    ],
  };
}
