import { UnsafeAddress } from '@tandem/platform';
import { dueWarning, mayWait, retrySeconds } from './mail-server';
import { failureOf } from './mail-server-failure';
import { sendOnce } from './own-mail-server';

const server = { host: 'smtp.example.com', port: 587, from_address: 'support@example.com' };
const failure = (error: object) => failureOf(Object.assign(new Error('failed'), error), server);

describe('a failure of an organization’s own mail server', () => {
  it.each([
    [{ code: 'EDNS', originalCode: 'ENOTFOUND', command: 'CONN' }, 'host', 'There is no server called smtp.example.com.'],
    [{ code: 'EAI_AGAIN' }, 'host', 'DNS did not answer for smtp.example.com.'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'port', 'refused the connection'],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'port', 'did not answer in time'],
    [{ code: 'EABORT', name: 'AbortError' }, 'port', 'did not answer in time'],
    [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED', command: 'CONN' }, 'host', 'has expired'],
    [{ code: 'ESOCKET', originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER', command: 'CONN' }, 'security', 'The TLS handshake'],
    [{ code: 'ETLS', command: 'STARTTLS', response: '502 not implemented', responseCode: 502 }, 'security', 'does not offer STARTTLS'],
    [
      { code: 'EAUTH', command: 'AUTH PLAIN', response: '535 5.7.8 bad', responseCode: 535 },
      'password',
      'The server answered: “535 5.7.8 bad”',
    ],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', response: '530 5.7.0 sign in', responseCode: 530 }, 'username', 'requires a sign-in'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', response: '553 not yours', responseCode: 553 }, 'from_address', 'refused the sender'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', response: '554 5.7.1 Relay access denied', responseCode: 554 }, 'username', 'does not relay'],
    [{ code: 'EPROTOCOL', response: 'SSH-2.0', command: 'CONN' }, 'port', 'as an SMTP server does'],
    [{ code: 'ECONNECTION', command: 'CONN' }, 'host', 'closed the connection'],
  ])('%j names the setting to check, and concerns every email', (error, field, message) => {
    expect(failure(error)).toEqual({ scope: 'server', field, message: expect.stringContaining(message) as string });
  });

  it('names the port if only some ports are allowed, and the host if it is private', () => {
    const refused = new UnsafeAddress('Port 22 is not allowed');
    expect(failureOf(refused, { ...server, port: 22 })).toMatchObject({ scope: 'server', field: 'port' });
    expect(failureOf(new UnsafeAddress('This name is not on the public internet'), server)).toMatchObject({ field: 'host' });
  });

  it.each([
    { code: 'EENVELOPE', command: 'RCPT TO', response: '550 5.1.1 no such user', responseCode: 550 },
    { code: 'EENVELOPE', command: 'RCPT TO', response: '450 4.2.1 greylisted', responseCode: 450 },
    { code: 'EMESSAGE', command: 'DATA', response: '554 5.7.1 spam', responseCode: 554 },
  ])('%j concerns this email only', (error) => {
    expect(failure(error)).toMatchObject({ scope: 'email', field: null });
  });

  it('is retried soon at first and every 15 minutes later, for four days, with two warnings', () => {
    const hour = 3_600_000;
    expect([0, 10 * 60_000, hour, 48 * hour].map(retrySeconds)).toEqual([30, 150, 900, 900]);
    expect([dueWarning(hour - 1, 0), dueWarning(hour, 0), dueWarning(2 * hour, 1), dueWarning(24 * hour, 1)]).toEqual([
      undefined,
      1,
      undefined,
      24,
    ]);
    const now = Date.parse('2026-11-23T10:00:00Z');
    expect([mayWait('2026-11-19T10:00:01Z', now), mayWait('2026-11-19T10:00:00Z', now)]).toEqual([true, false]);
  });
});

describe('an organization’s own mail server', () => {
  it.each([
    ['127.0.0.1', 587],
    ['10.0.0.1', 587],
    ['[::1]', 587],
    ['localhost', 587],
    ['mail.internal', 587],
    ['smtp.example.com', 22],
  ])('at %s, port %i, is not connected to', async (host, port) => {
    const own = { ...server, host, port, organization_id: 'o', security: 'tls' as const, auth: undefined };
    const sent = sendOnce(own, { to: 'a@example.com' }, { allowPrivate: false, timeoutMs: 1_000 });
    await expect(sent).rejects.toBeInstanceOf(UnsafeAddress);
  });
});
