import { HouseUnderFire, servers, services } from './house-under-fire.ts';

let house: HouseUnderFire;
beforeAll(async () => (house = await HouseUnderFire.start()), 120_000);
afterAll(() => house?.stop(), 60_000);

interface Person {
  headers: Record<string, string>;
}
/** The demo organization's admin, signed in as a browser is: cookies, and the CSRF token from the readable one. */
async function signInAsAdmin(): Promise<Person> {
  const answer = await fetch(`${house.api}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@demo.test', password: 'tandem-demo-1' }),
  });
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('tandem_csrf='))?.slice('tandem_csrf='.length) ?? '';
  return { headers: { cookie: cookies.join('; '), 'x-csrf-token': decodeURIComponent(token) } };
}

describe('a process is killed while tickets are being submitted', () => {
  it.each([...services, ...servers])(
    '%s: every accepted ticket exists once, with exactly one mail',
    async (victim) => {
      const accepted = await house.whileKilling(victim, (i) => {
        const customer_email = `${victim}-${i}@example.com`;
        return house.create<{ customer_email: string }>('/public/tickets', { subject: `Chaos for ${customer_email}`, customer_email });
      });
      expect(accepted.length).toBeGreaterThan(10);

      const stored = await house.rows<{ customer_email: string }>(
        'tickets',
        'select customer_email from tickets where customer_email like $1',
        [`${victim}-%`],
      );
      const times = (email: string) => stored.filter((ticket) => ticket.customer_email === email).length;
      expect(accepted.filter((ticket) => times(ticket.customer_email) !== 1)).toEqual([]);
      await house.expectOneMailEach(
        stored.map((ticket) => ticket.customer_email),
        victim,
      );
    },
    240_000,
  );
});

describe('a process is killed while people are being invited', () => {
  it.each(['identity', 'notifications', 'nats', 'postgres'] as const)(
    '%s: every accepted invitation exists once, with exactly one mail and one line in the log',
    async (victim) => {
      const admin = await signInAsAdmin();
      const accepted = await house.whileKilling(victim, (i) =>
        house.create<{ email: string }>('/team/invitations', { email: `invited-${victim}-${i}@example.com` }, admin.headers),
      );
      expect(accepted.length).toBeGreaterThan(10);

      const like = [`invited-${victim}-%`];
      const stored = await house.rows<{ email: string }>('identity', 'select email from invitations where email like $1', like);
      const logged = await house.rows<{ target: string }>(
        'identity',
        "select target from audit_log where type = 'invitation.created' and target like $1",
        like,
      );
      const emails = stored.map(({ email }) => email).sort();
      expect(new Set(emails).size).toBe(emails.length);
      expect(accepted.filter(({ email }) => !emails.includes(email))).toEqual([]);
      expect(logged.map(({ target }) => target).sort()).toEqual(emails);
      await house.expectOneMailEach(emails, victim);
    },
    240_000,
  );
});
