import { eventually } from '@tandem/testing';
import { createTransport } from 'nodemailer';
import { MailInUnderTest } from '../../test/mail-in';
import { kinds, strangeMail } from '../../test/mails';

let mailIn: MailInUnderTest;
beforeAll(async () => (mailIn = await MailInUnderTest.start()));
afterAll(() => mailIn?.tickets.close());

// One email of each kind: hostile.spec.ts parses many variants.
it('each strange email is processed or refused with a reason; none fails or stays unprocessed', async () => {
  const organization = await mailIn.tickets.anOrganization();
  const to = mailIn.support(organization);
  const transport = createTransport({ host: '127.0.0.1', port: mailIn.port, pool: true, maxConnections: 10, ignoreTLS: true });
  const all = Array.from({ length: Object.keys(kinds).length }, (_, seed) => strangeMail(seed));
  await Promise.all(all.map(({ from, raw }) => transport.sendMail({ envelope: { from, to }, raw })));
  transport.close();
  // Compare only the needed columns: printing a difference in megabytes of raw bytes takes minutes.
  await eventually(async () => expect((await mailIn.outcomes(organization)).filter((outcome) => outcome === null)).toEqual([]));
  const rows = await mailIn.rows(organization);
  expect(rows.filter(({ reason }) => reason?.startsWith('failed')).map(({ reason, subject }) => [reason, subject])).toEqual([]);
  const tickets = await mailIn.ticketsOf(organization);
  expect(rows.filter(({ outcome }) => outcome === 'ticket').length).toBe(tickets.length);
  expect(tickets.length).toBeGreaterThan(all.length / 2);
}, 90_000);
