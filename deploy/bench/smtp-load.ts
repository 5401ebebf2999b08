/** Sends emails to the product by SMTP, over several connections at a time. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../local/local-directory.ts';
import type { BenchSystem } from './bench-system.ts';

export const smtpConnections = 10;

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}
export interface EmailToSend {
  from: string;
  to: string;
  raw: Buffer;
}
export interface SentEmails {
  /** Hashes of the accepted emails with their recipients. */
  accepted: Set<string>;
  refused: number;
  again: number;
  /** Milliseconds per email from the start of the SMTP session to its 250. */
  times: number[];
}

/** Sends the emails with the numbers 0 to `count` - 1. */
export async function sendEmails(system: BenchSystem, count: number, emailOf: (n: number) => EmailToSend): Promise<SentEmails> {
  const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
  const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
  const transport = createTransport({
    host: '127.0.0.1',
    port: Number(system.env('MAIL_IN_PORT')),
    ignoreTLS: true,
    pool: true,
    maxConnections: smtpConnections,
    maxMessages: Infinity,
  });
  const sent: SentEmails = { accepted: new Set(), refused: 0, again: 0, times: [] };
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      system.signal.throwIfAborted();
      await sendOne(transport, emailOf(n), sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: smtpConnections }, worker));
  } finally {
    transport.close();
  }
  return sent;
}

/** 4xx means that the email will be accepted later, so it is sent again, as mail servers do. */
async function sendOne(transport: Transport, { from, to, raw }: EmailToSend, sent: SentEmails): Promise<void> {
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
