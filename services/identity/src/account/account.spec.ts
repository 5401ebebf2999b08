import { changedProfile, changedPasswordProblem, withMinimumTime, passwordProblem, salutationName } from './account';
import { commonPasswords } from './common-passwords';
import { hashPassword, passwordMatches } from './password';

const email = 'maria.lopez@example.com';

describe('a new password', () => {
  it.each([
    'password',
    'Password1',
    'PASSWORD123!',
    'p@ssw0rd',
    'P4$$w0rd!',
    '12345678',
    '1q2w3e4r',
    'Qwertyuiop',
    'iloveyou99',
    'letmein2024',
    '!!welcome!!',
    'aaaaaaaa',
    'abababab',
  ])('is rejected as common: %j', (password) =>
    expect(passwordProblem(password, email)).toMatchObject({ path: 'password', code: 'password_common' }),
  );
  it.each(['maria.lopez', 'MARIA.LOPEZ', 'maria.lopez@example.com', 'maria.lopez1985', '123maria.lopez!', 'tandem2026', 'Tandem!!'])(
    "is rejected as derived from the address or the product's name: %j",
    (password) => expect(passwordProblem(password, email)).toMatchObject({ path: 'password', code: 'password_context' }),
  );
  it('is rejected if it equals a local part of digits', () => {
    expect(passwordProblem('20471193', '20471193@example.com')).toMatchObject({ code: 'password_context' });
  });
  it.each([
    'tandem-demo-1',
    'correct horse battery',
    'x7Kq!m2v',
    '20471193',
    'пароль-мой-длинный',
    '  spaces  kept ',
    'é'.repeat(2) + 'à'.repeat(2) + 'ö'.repeat(4),
    'kq8'.repeat(85),
  ])('is accepted: %j', (password) => expect(passwordProblem(password, email)).toBeUndefined());
});

describe('a changed password', () => {
  it('must differ from the current one', () =>
    expect(changedPasswordProblem('x7Kq!m2v', 'x7Kq!m2v', email)).toMatchObject({ path: 'new_password', code: 'password_same' }));
  it('obeys the rules for passwords, and the error names its field', () => {
    expect(changedPasswordProblem('x7Kq!m2v', 'Password1', email)).toMatchObject({ path: 'new_password', code: 'password_common' });
    expect(changedPasswordProblem('x7Kq!m2v', email, email)).toMatchObject({ path: 'new_password', code: 'password_context' });
    expect(changedPasswordProblem('x7Kq!m2v', 'X7Kq!m2v', email)).toBeUndefined();
  });
});

it('the list of common passwords has several hundred entries in lower case', () => {
  expect(commonPasswords.size).toBeGreaterThan(400);
  for (const entry of commonPasswords) expect(entry).toBe(entry.toLowerCase());
});

describe('a password hash', () => {
  it('is Argon2id with the parameters that OWASP recommends', async () => {
    expect(await hashPassword('x7Kq!m2v')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
  it('matches only the exact bytes, up to 256 characters', async () => {
    const long = 'ü'.repeat(256);
    const password_hash = await hashPassword(long);
    expect(await passwordMatches(password_hash, long)).toBe(true);
    expect(await passwordMatches(password_hash, long.normalize('NFD'))).toBe(false);
    expect(await passwordMatches(password_hash, `${long} `)).toBe(false);
  });
  it('is computed, and never matches, if there is no account', async () => {
    expect(await passwordMatches(undefined, '')).toBe(false);
    const time = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const password_hash = await hashPassword('x7Kq!m2v');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 7; round++) {
      known.push(await time(() => passwordMatches(password_hash, 'wrong-one')));
      unknown.push(await time(() => passwordMatches(undefined, 'wrong-one')));
    }
    // Without the decoy hash it would be a hundred times faster. The minimum of seven runs is stable on a busy machine.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
  });
});

describe('the name in an email', () => {
  it.each(['Maria', 'José Luis', "O'Neil", 'Anne-Marie', '李'])('greets %j', (name) => expect(salutationName(name)).toBe(name));
  it.each(['evil.example', 'http://evil', 'You won!', 'a'.repeat(41), 'x@y', '1', null])('omits %j', (name) =>
    expect(salutationName(name)).toBeNull(),
  );
});

it('changedProfile contains only fields that differ', () => {
  const before = { first_name: 'Maria', last_name: null, signature: null };
  expect(changedProfile(before, {})).toEqual({});
  expect(changedProfile(before, { first_name: 'Maria', last_name: null })).toEqual({});
  expect(changedProfile(before, { first_name: null })).toEqual({ first_name: null });
  expect(changedProfile(before, { last_name: 'Lopez' })).toEqual({ last_name: 'Lopez' });
  expect(changedProfile(before, { signature: 'Maria' })).toEqual({ signature: 'Maria' });
});

describe('withMinimumTime', () => {
  it('waits for the minimum time, even if the callback throws', async () => {
    const start = performance.now();
    await expect(withMinimumTime(60, () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(await withMinimumTime(60, () => Promise.resolve(7))).toBe(7);
    expect(performance.now() - start).toBeGreaterThan(115);
  });
});
