import { createTransport } from 'nodemailer';
import { setTimeout as pause } from 'node:timers/promises';
import { untilPasses } from '../ticketing.ts';
import { expectRowsAndBytesAgree } from '../interrupted-work.ts';
import type { ChaosApp } from '../chaos-app.ts';

/** Tickets is killed while emails arrive. */
export function mailIn(running: () => ChaosApp): void {
  let app: ChaosApp;
  beforeAll(() => void (app = running()));

  const mails = 60;
  const maxConcurrency = 8;
  const killedAfter = [15, 35];
  const maxWaitMs = 120_000;

  /** Sends an email until it is accepted, with the same bytes each time, as mail servers do. */
  async function deliver(sender: string): Promise<void> {
    const { port, domain } = app.mailIn;
    const to = `support@northwind.${domain}`;
    const headers = [`From: ${sender}`, `To: ${to}`, `Subject: Mail of ${sender}`, `Message-ID: <${sender}>`, 'MIME-Version: 1.0'];
    const file = `Content-Type: text/plain\r\nContent-Disposition: attachment; filename="${sender}.txt"\r\n\r\n${sender}`;
    const raw = [
      ...headers,
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      `--b\r\n\r\nIt began at noon.`,
      `--b\r\n${file}`,
      '--b--',
      '',
    ].join('\r\n');
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      ignoreTLS: true,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
    });
    for (const deadline = Date.now() + maxWaitMs; ; await pause(250)) {
      try {
        return void (await transport.sendMail({ envelope: { from: sender, to }, raw }));
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  const outcomes = () =>
    app.rows<{ from_address: string; outcome: string; kept: boolean }>(
      'tickets',
      `select from_address, outcome,
              exists (select from inbound_mail_pieces p where (p.organization_id, p.inbound_id) = (m.organization_id, m.id)) as kept
       from inbound_mails m`,
      [],
    );

  it('tickets is killed while emails arrive: each email becomes one ticket with one file', async () => {
    const senders = Array.from({ length: mails }, (_, i) => `mail-${i}@example.com`);
    const waiting = [...senders];
    let taken = 0;
    let kills = Promise.resolve();
    const send = async () => {
      for (let sender = waiting.shift(); sender !== undefined; sender = waiting.shift()) {
        await deliver(sender);
        if (killedAfter.includes(++taken)) kills = kills.then(() => app.killAndRestart('tickets'));
      }
    };
    await Promise.all(Array.from({ length: maxConcurrency }, send));
    await kills;

    await untilPasses(async () => expect((await outcomes()).filter(({ outcome }) => outcome === null)).toEqual([]));
    const done = await outcomes();
    expect(done.map(({ from_address }) => from_address).sort()).toEqual([...senders].sort());
    expect(done.filter(({ outcome, kept }) => outcome !== 'ticket' || kept)).toEqual([]);
    const tickets = await app.rows<{ customer_email: string; files: string }>(
      'tickets',
      `select t.customer_email, (select count(*) from attachments a where a.ticket_id = t.id) as files from tickets t where t.channel = 'email' and t.subject like 'Mail of %'`,
      [],
    );
    expect(tickets.map(({ customer_email }) => customer_email).sort()).toEqual([...senders].sort());
    expect(tickets.filter(({ files }) => Number(files) !== 1)).toEqual([]);
  }, 300_000);

  it('files left by a killed attempt are removed, and no file that is in use', async () => {
    await app.rows('tickets', `update attachments set created_at = created_at - interval '25 hours' where ticket_id is null`, []);
    await untilPasses(async () => expect(await app.rows('tickets', 'select id from attachments where ticket_id is null', [])).toEqual([]));
    await expectRowsAndBytesAgree(app);
  }, 180_000);
}
