import { unreachable } from './postgres';

const url = 'postgres://tandem:secret@db.example.com:5432/tandem_tickets';

it('a server whose full disk prevents new connections has no space left', () => {
  const error = Object.assign(new Error('could not write init file: No space left on device'), { code: '53100' });
  expect(unreachable('TICKETS_DATABASE_URL', url, error)).toMatchObject({
    status: 'error',
    message: 'PostgreSQL has no space left: could not write init file: No space left on device.',
    fix: expect.stringMatching(/^Free space on its disk/) as string,
  });
});

it('another refusal names the variable and never the password', () => {
  const error = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const finding = unreachable('TICKETS_DATABASE_URL', url, error);
  expect(finding).toMatchObject({ fix: 'Correct the password in TICKETS_DATABASE_URL.' });
  expect(JSON.stringify(finding)).not.toContain('secret');
});
