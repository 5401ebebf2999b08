import { autoSubmitted, isPermanentFailure, ticketStatusUrl } from './email';

describe('links in emails', () => {
  it('encode special characters in addresses', () => {
    const url = new URL(ticketStatusUrl('http://a.localhost', 'id', 'a+b&c=d@example.com'));
    expect(url.searchParams.get('email')).toBe('a+b&c=d@example.com');
  });
});

describe('Auto-Submitted', () => {
  it('is set on all emails except replies of agents', () => {
    expect(autoSubmitted('ticket_reply')).toBeNull();
    expect(autoSubmitted('ticket_reply', true)).toBe('auto-replied');
    expect(autoSubmitted('ticket_created')).toBe('auto-replied');
    expect(autoSubmitted('ticket_resolved')).toBe('auto-generated');
    expect(autoSubmitted('staff_digest')).toBe('auto-generated');
    expect(autoSubmitted('password_reset')).toBe('auto-replied');
  });
});

describe('SMTP responses', () => {
  it('are permanent from 500, and temporary below or if missing', () => {
    expect(isPermanentFailure({ responseCode: 550 })).toBe(true);
    expect(isPermanentFailure({ responseCode: 450 })).toBe(false);
    expect(isPermanentFailure(new Error('connect ECONNREFUSED'))).toBe(false);
  });
});
