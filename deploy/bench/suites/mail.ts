import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { repository } from '../../local/local-directory.ts';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { createIn } from './cases.ts';
import { ask, expect, signIn, type SignedIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';

/** Figures at one rate, for accepted tickets only; tickets refused under load (503, nothing written) are only counted. */
interface Rate {
  rate: number;
  limit: number | undefined;
  tandem: number[];
  refused: number;
  floor: number[];
}

/** With the goal for the p99, in milliseconds. */
const rates = [{ rate: 1 }, { rate: 20, limit: 100 }, { rate: 100, limit: 2_000 }];
const secondsEach = 20;
/** Small databases, because the delivery path is measured, not the tables. */
const size = { organizations: 3, first: 1_000, each: 1_000, commented: 10, people: 5 };

/** Wall-clock time in fractional milliseconds, comparable with other processes of this machine. */
const now = () => performance.timeOrigin + performance.now();

/** A mail server that accepts everything immediately and stores the time of each email by recipient. */
class Sink {
  readonly accepted = new Map<string, number[]>();
  /** The complete last email: the floor sends emails of the same size. */
  last = '';
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        this.last = Buffer.concat(chunks).toString();
        for (const { address } of envelope.rcptTo) this.accepted.set(address, [...(this.accepted.get(address) ?? []), now()]);
        done();
      });
    },
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }
  stop = () => new Promise<void>((resolve) => this.#server.close(() => resolve()));

  /** The times at which these emails were accepted; there must be exactly one for each address. */
  async timesOf(addresses: string[], signal: AbortSignal): Promise<number[]> {
    for (const deadline = Date.now() + 60_000; !addresses.every((each) => this.accepted.has(each)); await sleep(20)) {
      signal.throwIfAborted();
      if (Date.now() > deadline) throw new Error(`${addresses.filter((each) => !this.accepted.has(each)).length} mails are missing`);
    }
    await sleep(500); // wait for possible duplicates
    return addresses.map((address) => {
      const times = this.accepted.get(address)!;
      expect(`mails to ${address}`, times.length, 1);
      return times[0]!;
    });
  }
}

/** Time from a ticket's commit to the acceptance of its email, at three rates, compared with nodemailer alone on as many connections. */
export async function mailSuite(signal: AbortSignal): Promise<Report> {
  const sink = new Sink();
  const smtpUrl = await sink.start();
  try {
    const system = await BenchSystem.start(signal, size, { SMTP_URL: smtpUrl });
    try {
      const session = await signIn(system.gatewayOrigin, createIn.product.people[0]!);
      await throughTandem(system, session, sink, 20, 3); // warm-up
      const rows: Rate[] = [];
      for (const { rate, limit } of rates) {
        const { ms: tandem, refused } = await step(`${rate} a second through Tandem`, () =>
          throughTandem(system, session, sink, rate, secondsEach),
        );
        const floor = await step(`${rate} a second by nodemailer alone`, () => floorAt(smtpUrl, sink, signal, rate));
        rows.push({ rate, limit, tandem, refused, floor });
      }
      return report(rows);
    } finally {
      await system.stop();
    }
  } finally {
    await sink.stop();
  }
}

/** Calls `work` at a fixed rate per second, whether or not the previous call has ended. */
async function atRate<T>(rate: number, seconds: number, signal: AbortSignal, work: (n: number) => Promise<T>): Promise<T[]> {
  const begun = performance.now();
  const under: Promise<T>[] = [];
  for (let n = 0; n < rate * seconds; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / rate - performance.now()));
    signal.throwIfAborted();
    under.push(work(n));
  }
  return Promise.all(under);
}

let runs = 0;

/** The start is the row's own timestamp, the last one known before its commit, so the measured time includes the commit. */
async function throughTandem(system: BenchSystem, { headers }: SignedIn, sink: Sink, rate: number, seconds: number) {
  const run = ++runs;
  const asked = await atRate(rate, seconds, system.signal, async (n) => {
    const email = `mail-${run}-${n}@example.com`;
    const answer = await ask<{ created_at: string }>(`${system.gatewayOrigin}/api/v1/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ subject: 'The parcel has arrived broken', customer_email: email, customer_name: 'Ada' }),
    });
    if (answer.status === 503) return [];
    expect('status of a create', answer.status, 201);
    return [{ email, at: Date.parse(answer.data.created_at) }];
  });
  const created = asked.flat();
  const accepted = await sink.timesOf(
    created.map(({ email }) => email),
    system.signal,
  );
  return { ms: created.map(({ at }, i) => accepted[i]! - at), refused: asked.length - created.length };
}

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}

/** Uses the same email package as the product, and an email of the same size. */
async function floorAt(smtpUrl: string, sink: Sink, signal: AbortSignal, rate: number): Promise<number[]> {
  const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
  const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 5 });
  const run = ++runs;
  const [, ...body] = sink.last.split('\r\n\r\n');
  try {
    const sent = await atRate(rate, secondsEach, signal, async (n) => {
      const email = `floor-${run}-${n}@example.com`;
      const at = now();
      await transport.sendMail({ from: 'support@example.com', to: email, subject: 'Your ticket', text: body.join('\n\n') });
      return { email, at };
    });
    const accepted = await sink.timesOf(
      sent.map(({ email }) => email),
      signal,
    );
    return sent.map(({ at }, i) => accepted[i]! - at);
  } finally {
    transport.close();
  }
}

function report(rows: Rate[]): Report {
  const cell = (figures: number[], q: number) => quantile(figures, q).toFixed(1);
  return {
    tables: [
      {
        title: `From the commit of a ticket to its mail accepted by SMTP, ms, ${secondsEach} s at each rate`,
        columns: ['tickets a second', 'tandem: p50', 'p99', 'goal', 'refused', 'nodemailer alone: p50', 'p99'],
        rows: rows.map(({ rate, limit, tandem, refused, floor }) => [
          String(rate),
          cell(tandem, 0.5),
          cell(tandem, 0.99),
          limit === undefined ? '' : `≤ ${limit}`,
          String(refused),
          cell(floor, 0.5),
          cell(floor, 0.99),
        ]),
      },
    ],
    figures: rows,
    goals: rows.flatMap(({ rate, limit, tandem }) =>
      limit === undefined
        ? []
        : [{ id: 'G7', work: `ticket to its email, ${rate} tickets a second, p99`, measured: quantile(tandem, 0.99), limit, unit: 'ms' }],
    ),
  };
}
