import { UnsafeAddress } from '@tandem/platform';
import { issuerOf, nameOf, safeRedirect, sameHash, sameIssuer, verifiedEmail, type Claims } from './oidc';

describe('an issuer', () => {
  it.each([
    ['https://id.example.com', 'https://id.example.com/'],
    ['  https://id.example.com/realms/a ', 'https://id.example.com/realms/a'],
    ['https://id.example.com/realms/a/.well-known/openid-configuration', 'https://id.example.com/realms/a'],
  ])('is accepted: %j', (text, href) => expect(issuerOf(text, {}).href).toBe(href));

  it.each([
    ['id.example.com', 'This is not a URL'],
    ['http://id.example.com', 'Only https addresses are allowed'],
    ['javascript:alert(1)', 'Only https addresses are allowed'],
    ['https://user:word@id.example.com', 'An address must not contain a user name or password'],
    ['https://127.0.0.1', 'This address is not on the public internet'],
    ['https://localhost', 'This name is not on the public internet'],
    ['https://id.example.com:22', 'Port 22 is not allowed'],
    ['https://id.example.com?tenant=1', 'An issuer has neither a query nor a fragment'],
    ['https://id.example.com#a', 'An issuer has neither a query nor a fragment'],
  ])('is rejected: %j', (text, message) => expect(() => issuerOf(text, {})).toThrow(new UnsafeAddress(message)));

  it('is equal with and without a trailing slash after the host, and otherwise only if identical', () => {
    expect(sameIssuer('https://id.example.com', 'https://ID.example.com/')).toBe(true);
    expect(sameIssuer('https://id.example.com/a', 'https://id.example.com/a/')).toBe(false);
    expect(sameIssuer('https://id.example.com', 'https://id.example.com.evil.example')).toBe(false);
  });
});

describe('the redirect after sign-in', () => {
  it.each(['/tickets', '/tickets?status=open#top', '/auth/confirm'])('can be %j', (target) => expect(safeRedirect(target)).toBe(target));
  it.each([
    '',
    'tickets',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    'https://evil.example',
    'javascript:alert(1)',
    '/auth',
    '/auth?x=1',
    '/\u0000',
    '/\n/evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
  ])('is the dashboard instead of %j', (target) => expect(safeRedirect(target)).toBe('/dashboard'));
});

describe('the claims of a provider', () => {
  const claims = (more: Partial<Claims>): Claims => ({
    subject: 's',
    email: ' Ada@Example.com',
    email_verified: true,
    given_name: undefined,
    family_name: undefined,
    ...more,
  });

  it('contain an address only if it is explicitly verified', () => {
    expect(verifiedEmail(claims({}))).toBe('ada@example.com');
    for (const email_verified of [false, undefined, null, 'true', 1]) expect(verifiedEmail(claims({ email_verified }))).toBeUndefined();
    for (const email of [undefined, '', 'ada', ['ada@example.com'], `${'a'.repeat(250)}@x.test`])
      expect(verifiedEmail(claims({ email }))).toBeUndefined();
  });

  it('contain a name only if a user could have entered it', () => {
    expect(nameOf('  Zoë ')).toBe('Zoë');
    for (const name of [undefined, null, 7, {}, '', '  ', 'a\u0000b', '\ud800', 'x'.repeat(101)]) expect(nameOf(name)).toBeNull();
  });
});

it('compares complete hashes', () => {
  expect(sameHash('ab', 'ab')).toBe(true);
  expect(sameHash('ab', 'ac')).toBe(false);
  expect(sameHash('ab', 'abc')).toBe(false);
});
