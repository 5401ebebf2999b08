import { servers, services, type ChaosApp } from '../chaos-app.ts';

/** Each process and server is killed while requests that create something arrive. */
export function killedProcesses(running: () => ChaosApp): void {
  let app: ChaosApp;
  beforeAll(() => void (app = running()));

  /** Signs up the admin of a new organization, like a browser: returns the cookies, and the CSRF token from the readable cookie. */
  async function signUpOwner(email: string): Promise<Record<string, string>> {
    const cookies = new Map<string, string>();
    const headers = (): Record<string, string> => ({
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-csrf-token': decodeURIComponent(cookies.get('tandem_csrf') ?? ''),
    });
    const post = async (path: string, body: object) => {
      const answer = await fetch(app.api + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(cookies.size > 0 ? headers() : {}) },
        body: JSON.stringify(body),
      });
      expect([path, answer.ok]).toEqual([path, true]);
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
    };
    const password = 'correct horse 7 staple';
    await post('/auth/sign-up', { email, password });
    await post('/auth/confirm-email', { token: await app.mailedToken(email) });
    await post('/auth/sign-in', { email, password });
    await post('/organizations', { name: email.split('@')[0] });
    return headers();
  }

  describe('a process is killed while tickets are being submitted', () => {
    it.each([...services, ...servers])(
      '%s: every accepted ticket exists once, with exactly one email',
      async (victim) => {
        const accepted = await app.whileKilling(victim, (i) => {
          const customer_email = `${victim}-${i}@example.com`;
          return app.create<{ customer_email: string }>('/public/tickets', { subject: `Chaos for ${customer_email}`, customer_email });
        });
        expect(accepted.length).toBeGreaterThan(10);

        const stored = await app.rows<{ customer_email: string }>(
          'tickets',
          'select customer_email from tickets where customer_email like $1',
          [`${victim}-%`],
        );
        const times = (email: string) => stored.filter((ticket) => ticket.customer_email === email).length;
        expect(accepted.filter((ticket) => times(ticket.customer_email) !== 1)).toEqual([]);
        await app.expectOneMailEach(
          stored.map((ticket) => ticket.customer_email),
          victim,
        );
      },
      240_000,
    );
  });

  describe('a process is killed while people are being invited', () => {
    it.each(['identity', 'notifications', 'nats', 'postgres'] as const)(
      '%s: every accepted invitation exists once, with exactly one email and one line in the log',
      async (victim) => {
        // Two admins, because an organization may send at most fifty invitations per hour.
        const admins = [await signUpOwner(`first-${victim}@example.com`), await signUpOwner(`second-${victim}@example.com`)];
        const accepted = await app.whileKilling(victim, (i) =>
          app.create<{ email: string }>('/team/invitations', { email: `invited-${victim}-${i}@example.com` }, admins[i % 2]),
        );
        expect(accepted.length).toBeGreaterThan(10);

        const like = [`invited-${victim}-%`];
        const stored = await app.rows<{ email: string }>('identity', 'select email from invitations where email like $1', like);
        const logged = await app.rows<{ target: string }>(
          'identity',
          "select target from audit_log where type = 'invitation.created' and target like $1",
          like,
        );
        const emails = stored.map(({ email }) => email).sort();
        expect(new Set(emails).size).toBe(emails.length);
        expect(accepted.filter(({ email }) => !emails.includes(email))).toEqual([]);
        expect(logged.map(({ target }) => target).sort()).toEqual(emails);
        await app.expectOneMailEach(emails, victim);
      },
      240_000,
    );
  });
}
