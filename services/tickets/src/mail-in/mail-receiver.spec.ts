import { PassThrough } from 'node:stream';
import { MailReceiver, smtpLimits, type Received } from './mail-receiver';
import { lengthOf } from './pieces';

const megabyte = 1024 * 1024;
const aStream = () => Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
afterEach(() => jest.restoreAllMocks());

/** An incoming email. Once `send` resolves, its bytes count as held. */
function aMail(receiving: MailReceiver, address: string) {
  const stream = aStream();
  const got: Received[] = [];
  const done = receiving.receive(stream, address, (mail) => Promise.resolve(void got.push(mail)));
  const send = async (megabytes: number) => {
    for (let i = 0; i < megabytes; i++) stream.write(Buffer.alloc(megabyte));
    while (!stream.destroyed && stream.readableLength + stream.writableLength > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const end = async (): Promise<string | number | undefined> => {
    stream.end();
    await done;
    const [mail] = got;
    return typeof mail === 'object' ? lengthOf(mail) / megabyte : mail;
  };
  return { stream, send, end, done, got };
}

describe('memory for incoming emails', () => {
  it('is limited to 25 MB per client over all its connections and addresses', async () => {
    const receiving = new MailReceiver();
    const greedy = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3'].map((address) => aMail(receiving, address));
    for (const mail of greedy) await mail.send(10);
    expect(await greedy[2]!.end()).toBe('over_limit');
    const other = aMail(receiving, '2001:db8:1:3::1');
    await other.send(20);
    expect([await other.end(), await greedy[0]!.end(), await greedy[1]!.end()]).toEqual([20, 10, 10]);
  });
  it('is released when an email is complete', async () => {
    const receiving = new MailReceiver();
    for (let i = 0; i < 4; i++) {
      const mail = aMail(receiving, '192.0.2.1');
      await mail.send(25);
      expect(await mail.end()).toBe(25);
    }
  });
  it('is limited to 75 MB in total', async () => {
    const receiving = new MailReceiver();
    const mails = [1, 2, 3, 4].map((n) => aMail(receiving, `192.0.2.${n}`));
    for (const mail of mails.slice(0, 3)) await mail.send(25);
    await mails[3]!.send(1);
    expect(await mails[3]!.end()).toBe('over_limit');
    for (const mail of mails.slice(0, 3)) expect(await mail.end()).toBe(25);
  });
});

it('an email in chunks of two bytes is received in a few blocks', async () => {
  const mail = aMail(new MailReceiver(), '192.0.2.1');
  for (let i = 0; i < 50_000; i++) mail.stream.write('.\n');
  await mail.end();
  const [blocks] = mail.got as Buffer[][];
  expect([lengthOf(blocks!), blocks!.length]).toEqual([100_000, 3]);
});

it('an email that arrives at once is received over many turns of the event loop', async () => {
  const mail = aMail(new MailReceiver(), '192.0.2.1');
  for (let i = 0; i < 64; i++) mail.stream.write(Buffer.alloc(64 * 1024));
  /** A turn handles two chunks at most: one that is read, and one that waits in the stream. */
  let turns = 0;
  for (; mail.stream.writableLength > 0; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeGreaterThanOrEqual(30);
  expect(await mail.end()).toBe(4);
});

it('an email that exceeds its time limit is aborted, and its memory is released', async () => {
  jest.replaceProperty(smtpLimits, 'dataMs', 300);
  const receiving = new MailReceiver();
  const slow = aMail(receiving, '192.0.2.1');
  await slow.send(20);
  await slow.done;
  expect(slow.got).toEqual(['timed_out']);
  jest.restoreAllMocks();
  const next = aMail(receiving, '192.0.2.1');
  await next.send(20);
  expect(await next.end()).toBe(20);
});

it('connections are counted by client', () => {
  const receiving = new MailReceiver();
  const entered = Array.from({ length: 21 }, (_, i) => receiving.connect(`${i}`, `2001:db8:1:2::${i + 1}`));
  expect(entered.filter(Boolean)).toHaveLength(smtpLimits.connectionsPerClient);
  receiving.disconnect('0');
  expect([receiving.connect('again', '2001:db8:1:2::f'), receiving.connect('other', '2001:db8:1:3::1')]).toEqual([true, true]);
});
