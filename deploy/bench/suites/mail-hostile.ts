import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import type { MailToSend } from '../mail-sender.ts';
import { memoryOf } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizations } from '../seed.ts';
import { expect } from '../session.ts';
import { quantile } from '../statistics.ts';
import { readerOf } from './cases.ts';

const mailDomain = 'mail.bench.test';
const size = { organizations: 1, first: 1_000, each: 1_000, commented: 10, people: 5 };
/** One request at a time, at this interval: what is measured is a delay, not throughput. */
const everyMs = 5;
const quietMs = 5_000;
const rounds = 3;

const head = (n: number) =>
  `From: Sender ${n} <sender-${n}@example.com>\r\nSubject: Email ${n}\r\nMessage-ID: <hostile-${n}@example.com>\r\nMIME-Version: 1.0\r\n`;
const line = 'The quick brown fox jumps over the lazy dog and runs away from here.......\r\n';
const mixed = (part: string, body: string) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the file\r\n--b\r\n${part}\r\n\r\n${body}\r\n--b--\r\n`;
const megabytes = 24 * 1024 * 1024;
/** Emails near the limit of 25 MB, and headers and texts that are crafted to take long. */
const emails: Record<string, (n: number) => string> = {
  '24 MB attachment': (n) =>
    head(n) +
    mixed(
      'Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64',
      `${'QUJD'.repeat(19)}\r\n`.repeat(megabytes / 78),
    ),
  '24 MB forwarded email': (n) => head(n) + mixed('Content-Type: message/rfc822', `${head(n)}\r\n${line.repeat(megabytes / line.length)}`),
  '24 MB of text': (n) => `${head(n)}\r\n${line.repeat(megabytes / line.length)}`,
  '24 MB of HTML': (n) => `${head(n)}Content-Type: text/html\r\n\r\n${'<div><b>a</b>\r\n'.repeat(megabytes / 15)}`,
  '500 KB of address groups': (n) => `${head(n)}To: ${'a:'.repeat(250_000)}\r\n\r\nx`,
  '500 KB of nested comments': (n) => `${head(n)}References: ${'('.repeat(500_000)}\r\n\r\nx`,
};

/** Measures how long an API request takes while large and hostile emails come in and are parsed in the same service. */
export async function mailHostileSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size, { MAIL_DOMAIN: mailDomain });
  try {
    const { headers } = await readerOf(system);
    const measure = (work: Promise<unknown>) => delaysDuring(`${system.gatewayOrigin}/api/v1/tickets?limit=25`, headers, work);
    await measure(sleep(quietMs));
    const before = memoryOf(system.product).tickets ?? 0;
    const quiet = await step('no email', () => measure(sleep(quietMs)));
    const measured: Record<string, { delays: number[]; ms: number }> = {};
    let n = 0;
    for (const [kind, make] of Object.entries(emails)) {
      const raws = Array.from({ length: rounds }, () => Buffer.from(make(n++)));
      const begun = performance.now();
      const delays = await step(kind, () => measure(sendAll(system, raws)));
      measured[kind] = { delays, ms: (performance.now() - begun) / rounds };
    }
    const after = memoryOf(system.product).tickets ?? 0;
    return report(quiet, measured, { before, after });
  } finally {
    await system.stop();
  }
}

/** Requests one after the other until the work is done; the time of each in milliseconds. */
async function delaysDuring(url: string, headers: Record<string, string>, work: Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    const begun = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    delays.push(performance.now() - begun);
    expect('status of a list', answer.status, 200);
    await sleep(everyMs);
  }
  await done;
  return delays;
}

/** Sends the emails one after the other, and waits until all are processed. */
async function sendAll(system: BenchSystem, raws: Buffer[]): Promise<void> {
  const to = `support@${organizations[0]!.id}.${mailDomain}`;
  const workerData: MailToSend = { port: Number(system.env('MAIL_IN_PORT')), to, raws };
  await once(new Worker(new URL('../mail-sender.ts', import.meta.url), { workerData }), 'exit');
  for (const deadline = Date.now() + 300_000; ; await sleep(50)) {
    system.signal.throwIfAborted();
    const [row] = await system.query<{ count: number }>('tandem_tickets', 'select count(*)::int from inbound_mails where outcome is null');
    if (row!.count === 0) return;
    if (Date.now() > deadline) throw new Error(`${row!.count} emails are still unprocessed`);
  }
}

function report(
  quiet: number[],
  measured: Record<string, { delays: number[]; ms: number }>,
  memory: { before: number; after: number },
): Report {
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  const row = (name: string, delays: number[], perEmail: string) => [
    name,
    ms(quantile(delays, 0.5)),
    ms(quantile(delays, 0.99)),
    ms(Math.max(...delays)),
    perEmail,
  ];
  return {
    tables: [
      {
        title: `Reading a list of tickets while ${rounds} emails of each kind come in`,
        columns: ['', 'p50', 'p99', 'max', 'per email, sent and processed'],
        rows: [
          row('no email', quiet, ''),
          ...Object.entries(measured).map(([kind, { delays, ms: each }]) => row(kind, delays, ms(each))),
          ['memory of tickets before, after', `${memory.before.toFixed(0)} MB`, `${memory.after.toFixed(0)} MB`, '', ''],
        ],
      },
    ],
    figures: { quiet, measured, memory },
  };
}
