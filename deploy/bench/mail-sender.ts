/** A worker thread that sends emails one after the other, because building a large one would delay the requests that are measured. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { repository } from '../local/local-directory.ts';

export interface MailToSend {
  port: number;
  to: string;
  raws: Uint8Array[];
}

interface Transport {
  sendMail(mail: object): Promise<unknown>;
  close(): void;
}

const { port, to, raws } = workerData as MailToSend;
const require = createRequire(join(repository, 'services', 'notifications', 'package.json'));
const { createTransport } = require('nodemailer') as { createTransport(options: object): Transport };
const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
try {
  for (const raw of raws) await transport.sendMail({ envelope: { from: 'sender@example.com', to: [to] }, raw: Buffer.from(raw) });
} finally {
  transport.close();
}
