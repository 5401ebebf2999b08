import { countEmail, invitationExpiry } from './invitation';

const now = '2026-03-01T12:00:00.000Z';

it('lasts 7 days', () => expect(invitationExpiry(now)).toBe('2026-03-08T12:00:00.000Z'));

describe('mails to one address', () => {
  it('begin an hour of their own', () => expect(countEmail(undefined, now)).toEqual({ mails_since: now, mails_sent: 1 }));
  it('are counted within the hour that the first one began', () => {
    const mails_since = '2026-03-01T11:30:00.000Z';
    expect(countEmail({ mails_since, mails_sent: 1 }, now)).toEqual({ mails_since, mails_sent: 2 });
    expect(countEmail({ mails_since, mails_sent: 4 }, now)).toEqual({ mails_since, mails_sent: 5 });
  });
  it('are five in an hour, and it says when the next one may go', () => {
    expect(countEmail({ mails_since: '2026-03-01T11:30:00.000Z', mails_sent: 5 }, now)).toEqual({ retryAfterSeconds: 1800 });
    expect(countEmail({ mails_since: '2026-03-01T11:00:00.001Z', mails_sent: 5 }, now)).toEqual({ retryAfterSeconds: 1 });
  });
  it('may go again exactly an hour after the first', () =>
    expect(countEmail({ mails_since: '2026-03-01T11:00:00.000Z', mails_sent: 5 }, now)).toEqual({ mails_since: now, mails_sent: 1 }));
});
