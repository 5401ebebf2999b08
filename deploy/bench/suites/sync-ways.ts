/** Measures how long a change takes to reach the other side, one at a time and at a fixed rate. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../session.ts';
import { call, until, type SyncHouse } from './sync-house.ts';

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
  /** From the task's change to its event in an open page. */
  toEvent: Way;
  /** From the task's change to the changed ticket, read because of that event. */
  toTicket: Way;
}

export async function measureWays(house: SyncHouse): Promise<Ways> {
  const pairs = await makePairs(house);
  const page = await openPage(house);
  try {
    const run = async (work: (pair: Pair, title: string) => Promise<number[]>, label: string) => {
      const at = (n: number) => work(pairs[n % pairs.length]!, `${label} ${n}`);
      for (let n = 0; n < 5; n++) await work(pairs[n]!, `warm-up ${label} ${n}`);
      const idle: number[][] = [];
      for (let n = 0; n < oneAtATime; n++) idle.push(await at(n));
      return { idle, steady: await atRate(house, (n) => at(oneAtATime + n)) };
    };
    const out = await run((pair, title) => changeTicket(house, pair, title), 'ticket');
    const back = await run((pair, title) => changeTask(house, page, pair, title), 'task');
    const way = ({ idle, steady }: { idle: number[][]; steady: number[][] }, i: number): Way => ({
      idle: idle.map((figures) => figures[i]!),
      steady: steady.map((figures) => figures[i]!),
    });
    return { toTask: way(out, 0), toEvent: way(back, 0), toTicket: way(back, 1) };
  } finally {
    page.close();
  }
}

async function makePairs(house: SyncHouse): Promise<Pair[]> {
  for (let n = 0; n < pairsOfTicketAndTask; n++) {
    const { status } = await call(house, 'POST', '/tickets', { subject: `Pair ${n}`, customer_email: `pair-${n}@example.com` });
    expect('status of a create', status, 201);
  }
  let pairs: Pair[] = [];
  const areLinked = async () => {
    pairs = await house.world.query<Pair>(
      'tandem_integrations',
      `select ticket_id, task_id from links where state = 'linked' and work_at is null`,
    );
    return pairs.length === pairsOfTicketAndTask;
  };
  await until(house.world, 'each ticket has its task', areLinked, patienceMs);
  return pairs;
}

async function changeTicket(house: SyncHouse, { ticket_id, task_id }: Pair, title: string): Promise<number[]> {
  const { tool, onChange } = house;
  const arrived = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => (onChange.delete(look), reject(new Error(`the task never was “${title}”`))), patienceMs);
    const look = () => {
      if (tool.task(task_id)?.name !== title) return;
      clearTimeout(timer);
      onChange.delete(look);
      resolve(now());
    };
    onChange.add(look);
  });
  const sent = now();
  const [{ status }, at] = await Promise.all([call(house, 'PATCH', `/tickets/${ticket_id}`, { subject: title }), arrived]);
  expect('status of a change', status, 200);
  return [at - sent];
}

async function changeTask(house: SyncHouse, page: Page, { ticket_id, task_id }: Pair, title: string): Promise<number[]> {
  const changed = now();
  const heard = page.next(ticket_id);
  house.tool.person.rename(task_id, title);
  for (let at = await heard; ; at = await page.next(ticket_id)) {
    const { data } = await call<{ subject: string }>(house, 'GET', `/tickets/${ticket_id}`);
    if (data.subject === title) return [at - changed, now() - changed];
  }
}

/** At a fixed rate, whether or not the previous change has arrived. */
async function atRate<T>({ world }: SyncHouse, work: (n: number) => Promise<T>): Promise<T[]> {
  const begun = performance.now();
  const under: Promise<T>[] = [];
  for (let n = 0; n < perSecond * secondsAtRate; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
    world.signal.throwIfAborted();
    under.push(work(n));
  }
  return Promise.all(under);
}

/** A page with an open event stream. `next` resolves with the time of this ticket's next change event. */
interface Page {
  next(ticket_id: string): Promise<number>;
  close(): void;
}

async function openPage({ world, session }: SyncHouse): Promise<Page> {
  const waiting = new Map<string, ((at: number) => void)[]>();
  const next = (ticket_id: string) =>
    new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no event of ticket ${ticket_id}`)), patienceMs);
      const heard = (at: number) => (clearTimeout(timer), resolve(at));
      waiting.set(ticket_id, [...(waiting.get(ticket_id) ?? []), heard]);
    });
  const tell = (data: string, at: number) => {
    const { type, subject } = JSON.parse(data) as { type: string; subject: string };
    if (type !== 'ticket.updated') return;
    for (const heard of waiting.get(subject) ?? []) heard(at);
    waiting.delete(subject);
  };
  return new Promise((resolve, reject) => {
    const request = get(`${world.gatewayOrigin}/api/v1/events`, { headers: session.headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`event stream: ${answer.statusCode}`));
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const at = now();
        const parts = (text + chunk).split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data !== undefined) tell(data, at);
        }
      });
      answer.on('error', () => undefined); // closed by us
      resolve({ next, close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}
