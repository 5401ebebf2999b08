/**
 * A process that builds emails, and sends them one after the other on request. It represents another machine, so it gets only the processor
 * time that nothing else needs: otherwise building and sending an email would delay the requests that are measured.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from '../local/local-directory.ts';
import { hostileEmails, type HostileEmail } from './hostile-emails.ts';

export interface MailToSend {
  port: number;
  to: string;
  kind: HostileEmail;
  /** Numbers of the emails to build. */
  numbers: number[];
}

const lowestPriority = '19';

/** Starts the process, which has built the emails then. It sends them when it receives a message. */
export async function startMailSender(mail: MailToSend): Promise<ChildProcess> {
  const sender = spawn('nice', ['-n', lowestPriority, process.execPath, fileURLToPath(import.meta.url), JSON.stringify(mail)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    // Linux compares priorities within a session only (sched(7), "The autogroup feature"), so the session needs one, too.
    writeFileSync(`/proc/${sender.pid}/autogroup`, lowestPriority);
  } catch {
    // This system has no such groups.
  }
  const failed = once(sender, 'exit').then(([code]) => Promise.reject(new Error(`the sender of emails has ended with exit code ${code}`)));
  await Promise.race([once(sender, 'message'), failed]);
  failed.catch(() => undefined); // From here on, the caller waits for its end.
  return sender;
}

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}

async function sendOnRequest({ port, to, kind, numbers }: MailToSend): Promise<void> {
  process.on('disconnect', () => process.exit());
  const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
  const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
  const raws = numbers.map((n) => Buffer.from(hostileEmails[kind](n)));
  process.send!('built');
  await once(process, 'message');
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    for (const raw of raws) await transport.sendMail({ envelope: { from: 'sender@example.com', to: [to] }, raw });
  } finally {
    transport.close();
  }
  process.exit();
}

if (import.meta.main) await sendOnRequest(JSON.parse(process.argv[2]!) as MailToSend);
