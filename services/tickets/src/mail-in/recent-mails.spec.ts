import { setTimeout as sleep } from 'node:timers/promises';
import { RecentMails } from './recent-mails';

const bytes = (text: string) => [Buffer.from(text.slice(0, 1)), Buffer.from(text.slice(1))];
const limits = { minBytes: 2, maxBytes: 10, ms: 60_000 };

it('returns the bytes of an email once', () => {
  const mails = new RecentMails(limits);
  mails.add('a', bytes('12345'));
  expect(String(Buffer.concat(mails.take('a')!))).toBe('12345');
  expect(mails.take('a')).toBeUndefined();
});

it('holds no small emails, and no more bytes than its limit', () => {
  const mails = new RecentMails(limits);
  mails.add('small', bytes('1'));
  for (const id of ['a', 'b', 'c']) mails.add(id, bytes('12345'));
  expect(mails.take('a')).toBeDefined();
  mails.add('d', bytes('12345'));
  expect(['small', 'b', 'c', 'd'].map((id) => mails.take(id) !== undefined)).toEqual([false, true, false, true]);
});

it('drops an email that no worker of this process has taken', async () => {
  const mails = new RecentMails({ ...limits, ms: 1 });
  mails.add('a', bytes('12345'));
  await sleep(20);
  expect(mails.take('a')).toBeUndefined();
});
