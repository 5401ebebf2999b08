import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { memoryOf } from '../../bench/processes.ts';
import type { ChaosApp } from '../chaos-app.ts';
import { signedIn, untilPasses } from '../ticketing.ts';

/** In MB. A server with 2 GB also runs its operating system, Caddy and, once a night, a backup. */
const maxMb = 1_000;
/** By default, PostgreSQL has 128 MB for pages of tables, the one of the tests 32. */
const morePagesMb = 96;
const tickets = 300;
const lists = 500;
const emails = 4;
const fileBytes = 14_000_000;
const concurrency = 10;

const itOnLinux = existsSync('/proc/self/smaps_rollup') ? it : it.skip;
const reason = existsSync('/proc/self/smaps_rollup') ? '' : ' (skipped: needs /proc of Linux)';

/** All services in one process, with their servers: what deploy/one-server/install-debian.sh runs on a server with 2 GB of memory. */
export function smallServer(running: () => ChaosApp): void {
  itOnLinux(
    `all services and servers together need less than 1 GB of memory after lists, tickets and large emails${reason}`,
    async () => {
      const app = running();
      const admin = await signedIn(app, 'admin@demo.test');
      await times(tickets, async (i) => {
        const body = { subject: `small server ${i}`, customer_email: `small-${i}@example.com`, description: 'x'.repeat(2_000) };
        await app.mustCreate('/tickets', body, admin);
      });
      await times(lists, async () =>
        expect((await (await fetch(`${app.api}/tickets?limit=50`, { headers: admin })).json()) as object).toHaveProperty('data'),
      );
      for (let i = 0; i < emails; i++) await sendLargeEmail(app, `large-${i}@example.com`);
      await untilPasses(async () => {
        const [stored] = await app.rows<{ count: string }>('tickets', `select count(*) from attachments where size >= $1`, [fileBytes]);
        expect(Number(stored!.count)).toBe(emails);
      });

      const memory = memoryOf(app.productProcesses);
      expect(Object.keys(memory).sort()).toEqual(['nats', 'postgres', 'redis', 'tandem']);
      for (const mb of Object.values(memory)) expect(mb).toBeGreaterThan(1);
      const total = Object.values(memory).reduce((sum, mb) => sum + mb, morePagesMb);
      expect({ ...memory, isWithin: total < maxMb }).toEqual({ ...memory, isWithin: true });
    },
    180_000,
  );
}

/** Calls `work` with 0 to `count` - 1, several at a time. */
async function times(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function sendLargeEmail(app: ChaosApp, from: string): Promise<void> {
  const { port, domain } = app.mailIn;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const attachments = [{ filename: 'scan.bin', content: randomBytes(fileBytes) }];
  await transport.sendMail({ from, to: `support@northwind.${domain}`, subject: 'A large file', text: 'Here it is.', attachments });
}
