import { connect as connectTcp } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Database, newId } from '@tandem/db';
import { connectRedis } from '@tandem/messaging';
import pg from 'pg';
import { eventually, expectTenantIsolation, freshDatabase, mailbox, testEnv, testServers } from './index';

/** One email by plain SMTP. */
async function sendMail(to: string, subject: string): Promise<void> {
  const { hostname, port } = new URL(testServers().smtpUrl);
  const socket = connectTcp(Number(port), hostname);
  const body = `From: a@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nSee https://example.com/x.\r\n.`;
  for (const line of ['', 'EHLO test', 'MAIL FROM:<a@example.com>', `RCPT TO:<${to}>`, 'DATA', body, 'QUIT']) {
    if (line !== '') socket.write(`${line}\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('data', () => resolve());
      socket.once('error', reject);
    });
  }
  socket.end();
}

describe('freshDatabase', () => {
  it('gives each caller a separate migrated database, which drop() removes even with open connections', async () => {
    const [one, two] = await Promise.all([freshDatabase('tickets'), freshDatabase('tickets')]);
    const organization_id = newId();
    const db = new Database({ url: one.url, onError: () => undefined });
    const other = new Database({ url: two.url });
    await db.forTenant({ organization_id }, (tx) => tx.insertInto('event_sequences').values({ subject: 'x', last: 1 }).execute());
    expect(await other.forTenant({ organization_id }, (tx) => tx.selectFrom('event_sequences').selectAll().execute())).toEqual([]);
    await one.drop();
    await one.drop();
    await expect(db.ping()).rejects.toThrow();
    await Promise.all([db.close(), other.close()]);
  });
});

describe('expectTenantIsolation', () => {
  it('accepts our databases and refuses one whose rows are visible to other organizations', async () => {
    const database = await freshDatabase('tickets');
    await expectTenantIsolation(database);
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('create table leaks (organization_id uuid not null)');
    await expect(expectTenantIsolation(database)).rejects.toThrow('Tables without tenancy: leaks');
    await owner.end();
  });
});

describe('testEnv', () => {
  it('shares neither stream, prefix, secret nor database with another', async () => {
    const [one, two] = [await testEnv(), await testEnv()];
    for (const name of [
      'NATS_STREAM',
      'EVENTS_PREFIX',
      'REDIS_PREFIX',
      'CONTEXT_SECRET',
      'TICKETS_DATABASE_URL',
      'IDENTITY_DATABASE_URL',
    ]) {
      expect(one[name]).toBeTruthy();
      expect(one[name]).not.toBe(two[name]);
    }
    const redis = connectRedis(one.REDIS_URL!);
    await redis.set(`${one.REDIS_PREFIX}:key`, 'removed with this file');
    redis.disconnect();
  });

  it('creates no databases for a test that provides its own', async () => {
    const env = await testEnv({ TICKETS_DATABASE_URL: 'postgres://own', PUBLIC_URL: 'https://help.example' });
    expect(env).toMatchObject({ TICKETS_DATABASE_URL: 'postgres://own', PUBLIC_URL: 'https://help.example' });
    expect(env.IDENTITY_DATABASE_URL).toBeUndefined();
  });
});

describe('the mailbox', () => {
  it('finds an email by recipient and subject as soon as it arrives', async () => {
    const to = `${randomBytes(4).toString('hex')}@example.com`;
    await expect(mailbox.waitFor({ to }, { timeoutMs: 100 })).rejects.toThrow(`No mail to ${to}`);
    const waiting = mailbox.waitFor({ to: to.toUpperCase(), subject: /^Second/ });
    await sendMail(to, 'First');
    await sendMail(to, 'Second one');
    expect(await waiting).toMatchObject({ to: [to], subject: 'Second one', links: ['https://example.com/x'] });
    expect((await mailbox.find({ to })).map((mail) => mail.subject)).toEqual(['Second one', 'First']);
    expect(await mailbox.find({ to, subject: 'First' })).toHaveLength(1);
  });
});

describe('eventually', () => {
  it('retries until the work neither throws nor returns false, and finally throws the last error', async () => {
    let tries = 0;
    const third = () => {
      if (++tries < 2) throw new Error('not yet');
      return tries === 3 && 'done';
    };
    expect(await eventually(third, { everyMs: 1 })).toBe('done');
    await expect(eventually(() => expect(tries).toBe(9), { timeoutMs: 20, everyMs: 1 })).rejects.toThrow('Expected: 9');
  });
});
