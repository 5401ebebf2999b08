import { canonicalMailbox, mailboxIn } from './limits';

describe('the account that an attempt counts against', () => {
  it.each([
    ['Ada@Example.TEST', 'ada@example.test'],
    ['  ada@example.test ', 'ada@example.test'],
    ['ada+anything+else@example.test', 'ada@example.test'],
    ['a@b@example.test', 'a@b@example.test'],
    ['no address', 'no address'],
  ])('%s is %s', (written, canonical) => {
    expect(canonicalMailbox(written)).toBe(canonical);
  });

  it('is found in sign-ins and submissions, and undefined for an invalid body', () => {
    const mailbox = (body: unknown) => mailboxIn(Buffer.from(JSON.stringify(body)));
    expect(mailbox({ email: 'A+x@b.c' })).toBe('a@b.c');
    expect(mailbox({ customer_email: 'A@b.c' })).toBe('a@b.c');
    expect([
      mailbox({ email: ['a@b.c'] }),
      mailbox(null),
      mailbox([]),
      mailbox('a@b.c'),
      mailboxIn(Buffer.from('{')),
      mailboxIn(undefined),
    ]).toEqual(Array(6).fill(undefined));
  });
});
