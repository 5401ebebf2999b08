import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { createIn } from './cases.ts';
import { ask, expect, signIn, type SignedIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';

const tickets = 200;
const perSecond = 20;

/** Wall-clock time in fractional milliseconds, comparable with other processes of this machine. */
const now = () => performance.timeOrigin + performance.now();

/** Timestamps of one ticket. */
interface Story {
  email: string;
  id: string;
  sent: number;
  answered: number;
  event: number;
  mail: number;
}

/** Measures the time from a ticket's creation to the email in the mailbox and to the event in another user's browser. */
export async function eventsSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  try {
    const [one, other] = createIn.product.people as [{ email: string; password: string }, { email: string; password: string }];
    const session = await signIn(system.gatewayOrigin, one);
    const stream = await listen(system, await signIn(system.gatewayOrigin, other));
    try {
      await oneByOne(system, session, stream.seen, 'warm-up', 20);
      const idle = await step(`${tickets} tickets, one at a time`, () => oneByOne(system, session, stream.seen, 'idle', tickets));
      const steady = await step(`${tickets} tickets, ${perSecond} a second`, () => atRate(system, session, stream.seen));
      return report(idle, steady);
    } finally {
      stream.close();
    }
  } finally {
    await system.stop();
  }
}

/** Opens the event stream like a browser. `seen`: ticket id → time of its creation event. */
async function listen(system: BenchSystem, { headers }: SignedIn): Promise<{ seen: Map<string, number>; close: () => void }> {
  const seen = new Map<string, number>();
  return new Promise((resolve, reject) => {
    const request = get(`${system.gatewayOrigin}/api/v1/events`, { headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`event stream: ${answer.statusCode}`));
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const at = now();
        const parts = (text + chunk).split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data === undefined) continue;
          const { type, subject } = JSON.parse(data) as { type: string; subject: string };
          if (type === 'ticket.created') seen.set(subject, at);
        }
      });
      answer.on('error', () => undefined); // closed by us
      resolve({ seen, close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}

async function create(system: BenchSystem, { headers }: SignedIn, email: string): Promise<Omit<Story, 'event' | 'mail'>> {
  const body = JSON.stringify({ subject: `About ${email}`, customer_email: email });
  const sent = now();
  const answer = await ask<{ id: string }>(`${system.gatewayOrigin}/api/v1/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const answered = now();
  expect('status of a create', answer.status, 201);
  return { email, id: answer.data.id, sent, answered };
}

/** Waits for the event and for the email; there must be exactly one email. */
async function complete(system: BenchSystem, seen: Map<string, number>, story: Omit<Story, 'event' | 'mail'>): Promise<Story> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(20)) {
    system.signal.throwIfAborted();
    const event = seen.get(story.id);
    if (event === undefined) continue;
    const answer = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(story.email)}`);
    const mails = (await answer.json()) as { received_at: string }[];
    if (mails.length === 0) continue;
    expect(`mails to ${story.email}`, mails.length, 1);
    return { ...story, event, mail: Date.parse(mails[0]!.received_at) };
  }
  throw new Error(`no ${seen.has(story.id) ? 'mail' : 'event'} for ticket ${story.id} within 30 s`);
}

async function oneByOne(system: BenchSystem, session: SignedIn, seen: Map<string, number>, label: string, count: number): Promise<Story[]> {
  const stories: Story[] = [];
  for (let i = 0; i < count; i++) {
    stories.push(await complete(system, seen, await create(system, session, `${label}-${i}@example.com`)));
  }
  return stories;
}

/** At a fixed rate, whether or not the previous ticket has been answered. */
async function atRate(system: BenchSystem, session: SignedIn, seen: Map<string, number>): Promise<Story[]> {
  const begun = performance.now();
  const sent: Promise<Omit<Story, 'event' | 'mail'>>[] = [];
  for (let i = 0; i < tickets; i++) {
    await sleep(Math.max(0, begun + (i * 1000) / perSecond - performance.now()));
    sent.push(create(system, session, `steady-${i}@example.com`));
  }
  const stories: Story[] = [];
  for (const story of await Promise.all(sent)) stories.push(await complete(system, seen, story)); // the mailbox is queried only at the end
  return stories;
}

function report(idle: Story[], steady: Story[]): Report {
  const figures: [string, (story: Story) => number, string][] = [
    ['create: sent → answered', ({ sent, answered }) => answered - sent, ''],
    ['answered → event in the other session', ({ answered, event }) => event - answered, ''],
    ['answered → mail in the mailbox', ({ answered, mail }) => mail - answered, ''],
    ['sent → event in the other session', ({ sent, event }) => event - sent, '(webhook: p50 ≤ 10, p99 ≤ 40)'],
    ['sent → mail in the mailbox', ({ sent, mail }) => mail - sent, '(webhook: p50 ≤ 10, p99 ≤ 40)'],
  ];
  const cells = (stories: Story[], figure: (story: Story) => number) => [0.5, 0.99].map((q) => quantile(stories.map(figure), q).toFixed(1));
  return {
    tables: [
      {
        title: `From a ticket to its event and its mail, ms, ${tickets} tickets each (below zero: before the answer had arrived)`,
        columns: ['', 'one at a time: p50', 'p99', `${perSecond} a second: p50`, 'p99', 'goal'],
        rows: figures.map(([name, figure, goal]) => [name, ...cells(idle, figure), ...cells(steady, figure), goal]),
      },
    ],
    figures: { idle, steady },
  };
}
