import { countEmail, invitationExpiry } from './invitation';

const now = '2026-03-01T12:00:00.000Z';

it('an invitation lasts 7 days', () => expect(invitationExpiry(now)).toBe('2026-03-08T12:00:00.000Z'));

describe('emails to one address', () => {
  it('start a new hour', () => expect(countEmail(undefined, now)).toEqual({ mails_since: now, mails_sent: 1 }));
  it('are counted within the hour of the first one', () => {
    const mails_since = '2026-03-01T11:30:00.000Z';
    expect(countEmail({ mails_since, mails_sent: 1 }, now)).toEqual({ mails_since, mails_sent: 2 });
    expect(countEmail({ mails_since, mails_sent: 4 }, now)).toEqual({ mails_since, mails_sent: 5 });
  });
  it('are limited to five per hour, with the time to retry', () => {
    expect(countEmail({ mails_since: '2026-03-01T11:30:00.000Z', mails_sent: 5 }, now)).toEqual({ retryAfterSeconds: 1800 });
    expect(countEmail({ mails_since: '2026-03-01T11:00:00.001Z', mails_sent: 5 }, now)).toEqual({ retryAfterSeconds: 1 });
  });
  it('are allowed again exactly an hour after the first', () =>
    expect(countEmail({ mails_since: '2026-03-01T11:00:00.000Z', mails_sent: 5 }, now)).toEqual({ mails_since: now, mails_sent: 1 }));
});
