import { changedNames, changedPasswordProblem, withMinimumTime, passwordProblem, salutationName } from './account';
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
  ])('%j is refused as common', (password) =>
    expect(passwordProblem(password, email)).toMatchObject({ path: 'password', code: 'password_common' }),
  );
  it.each(['maria.lopez', 'MARIA.LOPEZ', 'maria.lopez@example.com', 'maria.lopez1985', '123maria.lopez!', 'tandem2026', 'Tandem!!'])(
    '%j is refused as made of the address or our name',
    (password) => expect(passwordProblem(password, email)).toMatchObject({ path: 'password', code: 'password_context' }),
  );
  it('is refused when the local part is all figures and the password is the same', () => {
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
  ])('%j is taken', (password) => expect(passwordProblem(password, email)).toBeUndefined());
});

describe('a password in the place of another', () => {
  it('must be another', () =>
    expect(changedPasswordProblem('x7Kq!m2v', 'x7Kq!m2v', email)).toMatchObject({ path: 'new_password', code: 'password_same' }));
  it('obeys the rules of a first one, and the field that it was typed into is named', () => {
    expect(changedPasswordProblem('x7Kq!m2v', 'Password1', email)).toMatchObject({ path: 'new_password', code: 'password_common' });
    expect(changedPasswordProblem('x7Kq!m2v', email, email)).toMatchObject({ path: 'new_password', code: 'password_context' });
    expect(changedPasswordProblem('x7Kq!m2v', 'X7Kq!m2v', email)).toBeUndefined();
  });
});

it('the list of common passwords has a few hundred entries, all in lower case', () => {
  expect(commonPasswords.size).toBeGreaterThan(400);
  for (const entry of commonPasswords) expect(entry).toBe(entry.toLowerCase());
});

describe('a password hash', () => {
  it('is Argon2id with the parameters that OWASP recommends', async () => {
    expect(await hashPassword('x7Kq!m2v')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
  it('matches the exact bytes only, up to 256 characters', async () => {
    const long = 'ü'.repeat(256);
    const password_hash = await hashPassword(long);
    expect(await passwordMatches(password_hash, long)).toBe(true);
    expect(await passwordMatches(password_hash, long.normalize('NFD'))).toBe(false);
    expect(await passwordMatches(password_hash, `${long} `)).toBe(false);
  });
  it('is worked for, and never matched, when there is none', async () => {
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

describe('the name in a mail', () => {
  it.each(['Maria', 'José Luis', "O'Neil", 'Anne-Marie', '李'])('greets %j', (name) => expect(salutationName(name)).toBe(name));
  it.each(['evil.example', 'http://evil', 'You won!', 'a'.repeat(41), 'x@y', '1', null])('does not carry %j', (name) =>
    expect(salutationName(name)).toBeNull(),
  );
});

it('only names that differ are changed', () => {
  const before = { first_name: 'Maria', last_name: null };
  expect(changedNames(before, {})).toEqual({});
  expect(changedNames(before, { first_name: 'Maria', last_name: null })).toEqual({});
  expect(changedNames(before, { first_name: null })).toEqual({ first_name: null });
  expect(changedNames(before, { last_name: 'Lopez' })).toEqual({ last_name: 'Lopez' });
});

describe('an even answer', () => {
  it('comes no sooner than said, also when the work fails', async () => {
    const start = performance.now();
    await expect(withMinimumTime(60, () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(await withMinimumTime(60, () => Promise.resolve(7))).toBe(7);
    expect(performance.now() - start).toBeGreaterThan(115);
  });
});
