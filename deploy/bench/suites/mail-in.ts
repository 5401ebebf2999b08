import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import type * as Mails from '@tandem/tickets/test/mails';
import { repository } from '../../local/local-directory.ts';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { organizations } from '../seed.ts';
import { expect } from '../session.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';

const count = 10_000;
/** One email in this many is unusual; the others are typical. */
const strangeEvery = 10;
const connections = 10;
const mailDomain = 'mail.bench.test';
const size = { organizations: 3, first: 1_000, each: 1_000, commented: 10, people: 5 };

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}
interface Sent {
  accepted: Set<string>;
  refused: number;
  again: number;
  /** Milliseconds per email from the start of the SMTP session to its 250. */
  times: number[];
}

/** Sends ten thousand emails by SMTP: each accepted email must have become a ticket or be in the log with its outcome. */
export async function mailInSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size, { MAIL_DOMAIN: mailDomain });
  try {
    const before = memoryOf(system);
    const begun = performance.now();
    const sent = await step(`${count.toLocaleString('en')} emails by SMTP`, () => sendAll(system));
    const sentMs = performance.now() - begun;
    await step('until all are processed', () => allDone(system, sent));
    const doneMs = performance.now() - begun;
    const outcomes = await outcomesOf(system);
    await check(system, sent, outcomes);
    return report({ sent, sentMs, doneMs, outcomes, before, after: memoryOf(system) });
  } finally {
    await system.stop();
  }
}

/** Bundles the emails of the parser's own tests, because Node alone cannot load the modules of a CommonJS package. */
async function makeMails(system: BenchSystem): Promise<typeof Mails.strangeMail> {
  const file = join(system.directory, 'mails.cjs');
  const bundle = await rolldown({ input: join(repository, 'services', 'tickets', 'test', 'mails.ts'), platform: 'node' });
  await bundle.write({ file, format: 'cjs' });
  await bundle.close();
  return (createRequire(import.meta.url)(file) as typeof Mails).strangeMail;
}

async function sendAll(system: BenchSystem): Promise<Sent> {
  const strangeMail = await makeMails(system);
  const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
  const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
  const port = Number(system.env('MAIL_IN_PORT'));
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
  });
  const sent: Sent = { accepted: new Set(), refused: 0, again: 0, times: [] };
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      system.signal.throwIfAborted();
      const mail = n % strangeEvery === 0 ? strangeMail(2 * count + n / strangeEvery) : strangeMail(n, 'plain');
      await sendOne(transport, mail, `support@${organizations[n % size.organizations]!.id}.${mailDomain}`, sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    transport.close();
  }
  return sent;
}

/** 4xx means that the email will be accepted later, so it is sent again, as mail servers do. */
async function sendOne(transport: Transport, { from, raw }: ReturnType<typeof Mails.strangeMail>, to: string, sent: Sent): Promise<void> {
  for (let pause = 100; ; pause *= 2) {
    const begun = performance.now();
    try {
      await transport.sendMail({ envelope: { from, to: [to] }, raw });
      sent.times.push(performance.now() - begun);
      sent.accepted.add(createHash('sha256').update(raw).update(to).digest('hex'));
      return;
    } catch (error) {
      const { responseCode = 400 } = error as { responseCode?: number };
      if (responseCode >= 500 || pause > 10_000) return void sent.refused++;
      sent.again++;
      await sleep(pause);
    }
  }
}

interface Outcome {
  outcome: string | null;
  reason: string | null;
  count: number;
}
const outcomesOf = (system: BenchSystem) =>
  system.query<Outcome>('tandem_tickets', 'select outcome, reason, count(*)::int from inbound_mails group by 1, 2 order by 3 desc');

async function allDone(system: BenchSystem, sent: Sent): Promise<void> {
  for (const deadline = Date.now() + 900_000; ; await sleep(500)) {
    system.signal.throwIfAborted();
    const waiting = (await outcomesOf(system)).filter(({ outcome }) => outcome === null).reduce((sum, { count: each }) => sum + each, 0);
    if (waiting === 0) return;
    if (Date.now() > deadline) throw new Error(`${waiting} of ${sent.accepted.size} emails are still unprocessed`);
  }
}

/** Checks that every accepted email was stored: as many rows as different emails, and a ticket for each with that outcome. */
async function check(system: BenchSystem, { accepted }: Sent, outcomes: Outcome[]): Promise<void> {
  const rows = outcomes.reduce((sum, { count: each }) => sum + each, 0);
  expect('rows of different emails', rows, accepted.size);
  const [tickets] = await system.query<{ count: number }>(
    'tandem_tickets',
    `select count(*)::int from inbound_mails m join tickets t on t.organization_id = m.organization_id and t.id = m.ticket_id where m.outcome = 'ticket'`,
  );
  const ticketMails = outcomes.filter(({ outcome }) => outcome === 'ticket').reduce((sum, { count: each }) => sum + each, 0);
  expect('tickets of emails', tickets!.count, ticketMails);
}

/** Resident memory of the service, in MB. */
function memoryOf(system: BenchSystem): number {
  const pid = system.product.find(({ name }) => name === 'tickets')!.pid;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

interface Figures {
  sent: Sent;
  sentMs: number;
  doneMs: number;
  outcomes: Outcome[];
  before: number;
  after: number;
}
function report({ sent, sentMs, doneMs, outcomes, before, after }: Figures): Report {
  const rate = (ms: number) => (sent.times.length / (ms / 1000)).toFixed(0);
  const rows = [
    ['accepted (250)', `${sent.times.length}, ${rate(sentMs)} a second`],
    ['refused by SMTP', String(sent.refused)],
    ['sent again after 4xx', String(sent.again)],
    ['until 250, p50 and p99', `${quantile(sent.times, 0.5).toFixed(1)} ms, ${quantile(sent.times, 0.99).toFixed(1)} ms`],
    ['processed', `${rate(doneMs)} a second`],
    ['memory of the service before, after', `${before.toFixed(0)} MB, ${after.toFixed(0)} MB`],
    ...outcomes.map(({ outcome, reason, count: each }) => [`${outcome}${reason ? ` (${reason})` : ''}`, String(each)]),
  ];
  const { accepted, ...figures } = sent;
  return {
    tables: [
      {
        title: `${count.toLocaleString('en')} emails over ${connections} connections, one in ${strangeEvery} unusual`,
        columns: ['', ''],
        rows,
      },
    ],
    figures: { ...figures, different: accepted.size, sentMs, doneMs, outcomes, before, after },
  };
}
