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
import { sendEmails, smtpConnections, type SentEmails } from '../smtp-load.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';

const count = 10_000;
/** One email in this many is unusual; the others are typical. */
const strangeEvery = 10;
const mailDomain = 'mail.bench.test';
const size = { organizations: 3, first: 1_000, each: 1_000, commented: 10, people: 5 };

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

async function sendAll(system: BenchSystem): Promise<SentEmails> {
  const strangeMail = await makeMails(system);
  return sendEmails(system, count, (n) => {
    const { from, raw } = n % strangeEvery === 0 ? strangeMail(2 * count + n / strangeEvery) : strangeMail(n, 'plain');
    return { from, to: `support@${organizations[n % size.organizations]!.id}.${mailDomain}`, raw };
  });
}

interface Outcome {
  outcome: string | null;
  reason: string | null;
  count: number;
}
const outcomesOf = (system: BenchSystem) =>
  system.query<Outcome>('tandem_tickets', 'select outcome, reason, count(*)::int from inbound_mails group by 1, 2 order by 3 desc');

async function allDone(system: BenchSystem, sent: SentEmails): Promise<void> {
  for (const deadline = Date.now() + 900_000; ; await sleep(500)) {
    system.signal.throwIfAborted();
    const waiting = (await outcomesOf(system)).filter(({ outcome }) => outcome === null).reduce((sum, { count: each }) => sum + each, 0);
    if (waiting === 0) return;
    if (Date.now() > deadline) throw new Error(`${waiting} of ${sent.accepted.size} emails are still unprocessed`);
  }
}

/** Checks that every accepted email was stored: as many rows as different emails, and a ticket for each with that outcome. */
async function check(system: BenchSystem, { accepted }: SentEmails, outcomes: Outcome[]): Promise<void> {
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
  sent: SentEmails;
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
        title: `${count.toLocaleString('en')} emails over ${smtpConnections} connections, one in ${strangeEvery} unusual`,
        columns: ['', ''],
        rows,
      },
    ],
    figures: { ...figures, different: accepted.size, sentMs, doneMs, outcomes, before, after },
  };
}
