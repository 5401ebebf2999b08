import { eventually } from '@tandem/testing';
import { createTransport } from 'nodemailer';
import { MailHouse } from '../../test/mail-house';
import { kinds, strangeMail } from '../../test/mails';

let house: MailHouse;
beforeAll(async () => (house = await MailHouse.start()));
afterAll(() => house?.tickets.close());

it('each strange mail is a ticket, or is recorded with what became of it: none fails, none waits for ever', async () => {
  const place = await house.tickets.anOrganization();
  const to = house.support(place);
  const transport = createTransport({ host: '127.0.0.1', port: house.port, pool: true, maxConnections: 10, ignoreTLS: true });
  const all = Array.from({ length: Object.keys(kinds).length * 2 }, (_, seed) => strangeMail(seed));
  await Promise.all(all.map(({ from, raw }) => transport.sendMail({ envelope: { from, to }, raw })));
  transport.close();
  // Compare only the needed columns: printing a difference in megabytes of raw bytes takes minutes.
  await eventually(async () => expect((await house.outcomes(place)).filter((outcome) => outcome === null)).toEqual([]), {
    timeoutMs: 60_000,
  });
  const rows = await house.rows(place);
  expect(rows.filter(({ reason }) => reason?.startsWith('failed')).map(({ reason, subject }) => [reason, subject])).toEqual([]);
  const tickets = await house.ticketsOf(place);
  expect(rows.filter(({ outcome }) => outcome === 'ticket').length).toBe(tickets.length);
  expect(tickets.length).toBeGreaterThan(all.length / 2);
}, 90_000);
