/** Measures how long a change takes to reach the other side, one at a time and at a fixed rate. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../session.ts';
import { call, until, type SyncBench } from './sync-bench.ts';

export const perSecond = 10;
const secondsAtRate = 20;
const oneAtATime = 60;
/** Enough pairs that none changes more often than in real use: more frequent writes are detected as a loop. */
const pairsOfTicketAndTask = 50;
const patienceMs = 30_000;

/** Wall-clock time in fractional milliseconds, comparable with other processes of this machine. */
const now = () => performance.timeOrigin + performance.now();

interface Pair {
  ticket_id: string;
  task_id: string;
}
export interface Way {
  idle: number[];
  steady: number[];
}
export interface Ways {
  /** From sending the ticket's change in the browser to the changed task. */
  toTask: Way;
  /** The time from the task's change to its event in an open page. */
  toEvent: Way;
  /** The time from the task's change until the ticket, read because of that event, shows it. */
  toTicket: Way;
}

export async function measureWays(bench: SyncBench): Promise<Ways> {
  const pairs = await makePairs(bench);
  const page = await openPage(bench);
  try {
    const run = async (work: (pair: Pair, title: string) => Promise<number[]>, label: string) => {
      const at = (n: number) => work(pairs[n % pairs.length]!, `${label} ${n}`);
      for (let n = 0; n < 5; n++) await work(pairs[n]!, `warm-up ${label} ${n}`);
      const idle: number[][] = [];
      for (let n = 0; n < oneAtATime; n++) idle.push(await at(n));
      return { idle, steady: await atRate(bench, (n) => at(oneAtATime + n)) };
    };
    const out = await run((pair, title) => changeTicket(bench, pair, title), 'ticket');
    const back = await run((pair, title) => changeTask(bench, page, pair, title), 'task');
    const way = ({ idle, steady }: { idle: number[][]; steady: number[][] }, i: number): Way => ({
      idle: idle.map((figures) => figures[i]!),
      steady: steady.map((figures) => figures[i]!),
    });
    return { toTask: way(out, 0), toEvent: way(back, 0), toTicket: way(back, 1) };
  } finally {
    page.close();
  }
}

async function makePairs(bench: SyncBench): Promise<Pair[]> {
  for (let n = 0; n < pairsOfTicketAndTask; n++) {
    const { status } = await call(bench, 'POST', '/tickets', { subject: `Pair ${n}`, customer_email: `pair-${n}@example.com` });
    expect('status of a create', status, 201);
  }
  let pairs: Pair[] = [];
  const areLinked = async () => {
    pairs = await bench.system.query<Pair>(
      'tandem_integrations',
      `select ticket_id, task_id from links where state = 'linked' and next_sync_at is null`,
    );
    return pairs.length === pairsOfTicketAndTask;
  };
  await until(bench.system, 'each ticket has its task', areLinked, patienceMs);
  return pairs;
}

async function changeTicket(bench: SyncBench, { ticket_id, task_id }: Pair, title: string): Promise<number[]> {
  const { tool, onChange } = bench;
  const arrived = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => (onChange.delete(look), reject(new Error(`the task never got the title “${title}”`))), patienceMs);
    const look = () => {
      if (tool.task(task_id)?.name !== title) return;
      clearTimeout(timer);
      onChange.delete(look);
      resolve(now());
    };
    onChange.add(look);
  });
  const sent = now();
  const [{ status }, at] = await Promise.all([call(bench, 'PATCH', `/tickets/${ticket_id}`, { subject: title }), arrived]);
  expect('status of a change', status, 200);
  return [at - sent];
}

async function changeTask(bench: SyncBench, page: Page, { ticket_id, task_id }: Pair, title: string): Promise<number[]> {
  const changed = now();
  const arrival = page.next(ticket_id);
  bench.tool.person.rename(task_id, title);
  for (let at = await arrival; ; at = await page.next(ticket_id)) {
    const { data } = await call<{ subject: string }>(bench, 'GET', `/tickets/${ticket_id}`);
    if (data.subject === title) return [at - changed, now() - changed];
  }
}

/** At a fixed rate, whether or not the previous change has arrived. */
async function atRate<T>({ system }: SyncBench, work: (n: number) => Promise<T>): Promise<T[]> {
  const begun = performance.now();
  const under: Promise<T>[] = [];
  for (let n = 0; n < perSecond * secondsAtRate; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
    system.signal.throwIfAborted();
    under.push(work(n));
  }
  return Promise.all(under);
}

/** A page with an open event stream. `next` resolves with the time of this ticket's next change event. */
interface Page {
  next(ticket_id: string): Promise<number>;
  close(): void;
}

async function openPage({ system, session }: SyncBench): Promise<Page> {
  const waiting = new Map<string, ((at: number) => void)[]>();
  const next = (ticket_id: string) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no event of ticket ${ticket_id}`)), patienceMs);
      const listener = (at: number) => (clearTimeout(timer), resolve(at));
      waiting.set(ticket_id, [...(waiting.get(ticket_id) ?? []), listener]);
    });
  const notifyListeners = (data: string, at: number) => {
    const { type, subject } = JSON.parse(data) as { type: string; subject: string };
    if (type !== 'ticket.updated') return;
    for (const listener of waiting.get(subject) ?? []) listener(at);
    waiting.delete(subject);
  };
  return new Promise((resolve, reject) => {
    const request = get(`${system.gatewayOrigin}/api/v1/events`, { headers: session.headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`event stream: ${answer.statusCode}`));
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const at = now();
        const parts = (text + chunk).split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data !== undefined) notifyListeners(data, at);
        }
      });
      answer.on('error', () => undefined); // closed by us
      resolve({ next, close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}
