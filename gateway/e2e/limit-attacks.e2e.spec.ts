import { anAddress } from './client';
import { codeOf, password, startTestApp, type TestApp } from './test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

const times = async <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let i = 0; i < n; i++) results.push(await work(i));
  return results;
};
const guess = (email: string) => app.browser().post('/auth/sign-in', { email, password: 'wrong password' });
const tagged = (email: string, tag: string) => email.replace('@', `+${tag}@`);

describe('the sign-in limit of an account', () => {
  it('counts bodies that start with a byte order mark', async () => {
    const raw = (body: unknown) => ({ raw: `\ufeff${JSON.stringify(body)}` });
    const [email, other] = [anAddress(), anAddress()];
    const guesses = await times(6, () => app.browser().post('/auth/sign-in', undefined, raw({ email, password: 'wrong password' })));
    expect(guesses.map(codeOf)).toEqual([...Array<string>(5).fill('401 credentials.invalid'), '429 login.blocked']);
    const links = await times(4, () => app.browser().post('/auth/password/forgot', undefined, raw({ email: other })));
    expect(links.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
  });

  it('is not reset by an unconfirmed account with another +tag', async () => {
    const victim = await app.account();
    const mine = tagged(victim, 'mine');
    expect((await app.browser().post('/auth/sign-up', { email: mine, password })).status).toBe(202);
    await times(4, () => guess(victim));
    expect(codeOf(await app.browser().post('/auth/sign-in', { email: mine, password }))).toBe('403 email.not_confirmed');
    expect((await times(2, () => guess(victim))).map(codeOf)).toEqual(['401 credentials.invalid', '429 login.blocked']);
  });

  it('is not reset by signing in to an account with another +tag', async () => {
    const victim = await app.account();
    const mine = await app.account(tagged(victim, 'mine'));
    await times(4, () => guess(victim));
    expect((await app.signIn(mine)).browser.csrfToken).toBeDefined();
    expect((await times(2, () => guess(victim))).map(codeOf)).toEqual(['401 credentials.invalid', '429 login.blocked']);
  });
});

describe('one mailbox', () => {
  it.each(['/auth/sign-up', '/auth/resend-confirmation'])(
    'gets at most ten emails per hour from %s, with any +tag and client address',
    async (path) => {
      const email = anAddress('victim');
      const body = (i: number) => ({ email: tagged(email, `t${i}`), ...(path === '/auth/sign-up' ? { password } : {}) });
      const answers = await times(11, (i) => app.browser().post(path, body(i)));
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(202), 429]);
      expect(codeOf(answers[10]!)).toBe('429 limit.exceeded');
      expect((await app.browser().post(path, { ...body(0), email: anAddress() })).status).toBe(202);
    },
  );

  it('is not charged for refused requests that send no email', async () => {
    const email = anAddress();
    const refused = await times(11, () => app.browser().post('/auth/sign-up', { email, password: 'short' }));
    expect(refused.map(({ status }) => status)).toEqual(Array(11).fill(422));
    expect((await app.browser().post('/auth/sign-up', { email, password })).status).toBe(202);
  });
});
