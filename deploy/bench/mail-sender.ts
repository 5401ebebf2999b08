/**
 * A worker thread that builds emails, and sends them one after the other on request. It has a low priority, because it represents another
 * machine: otherwise building and sending an email would delay the requests that are measured.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { repository } from '../local/local-directory.ts';
import { hostileEmails, type HostileEmail } from './hostile-emails.ts';

export interface MailToSend {
  port: number;
  to: string;
  kind: HostileEmail;
  /** Numbers of the emails to build. */
  numbers: number[];
}

/** On Linux, `setPriority` with this value changes the calling thread only. */
const lowPriority = 10;

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}

if (process.platform === 'linux') setPriority(lowPriority);
const { port, to, kind, numbers } = workerData as MailToSend;
const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
const raws = numbers.map((n) => Buffer.from(hostileEmails[kind](n)));
parentPort!.postMessage('built');
await once(parentPort!, 'message');
const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
try {
  for (const raw of raws) await transport.sendMail({ envelope: { from: 'sender@example.com', to: [to] }, raw });
} finally {
  transport.close();
}
process.exit();
