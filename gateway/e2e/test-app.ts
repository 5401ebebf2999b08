import { randomInt, randomUUID } from 'node:crypto';
import { AppError, serviceNames, type Organization, type Role, type ServiceName, type Session, type Ticket } from '@tandem/contracts';
import type { RunningService } from '@tandem/platform';
import { mailbox, startForTest, testEnv } from '@tandem/testing';
import { analyticsService } from '@tandem/analytics/src/analytics.module';
import { identityService } from '@tandem/identity/src/identity.module';
import { integrationsService } from '@tandem/integrations/src/integrations.module';
import { notificationsService } from '@tandem/notifications/src/notifications.module';
import { ticketsService } from '@tandem/tickets/src/tickets.module';
import { AccessTokens } from '../src/auth/access-token';
import { SessionCookies } from '../src/auth/cookies';
import { CsrfTokens } from '../src/auth/csrf';
import { gateway } from '../src/gateway.module';
import { anAddress, Browser } from './client';

type Env = Record<string, string | undefined>;

const definitions = {
  identity: identityService,
  tickets: ticketsService,
  notifications: notificationsService,
  integrations: integrationsService,
  analytics: analyticsService,
};

/** A person who has founded an organization, with a signed-in browser. */
export interface OwnerSession {
  browser: Browser;
  email: string;
  password: string;
  session: Session;
  organization: Organization;
  /** The host of the organization's portal. */
  portalHost: string;
}

export const password = 'correct horse 7 staple';

/** No test may call a real task tool; `startTestAppWithClickUp` starts a sandbox. */
const closedPort = 'http://127.0.0.1:9/api';

/** The five services and the gateway in this process, as in production except for their addresses; closed when the test file ends. */
export class TestApp {
  private constructor(
    readonly env: Env,
    readonly services: Record<ServiceName, RunningService>,
    readonly gateway: RunningService,
  ) {}

  static async start(overrides: Env = {}): Promise<TestApp> {
    // Every browser has its own client address: the test acts as the trusted proxy. The challenge threshold is so high that only the
    // challenge tests reach it.
    const noTaskTool = {
      CLICKUP_API_URL: closedPort,
      CLICKUP_AUTHORIZE_URL: closedPort,
      GITHUB_API_URL: closedPort,
      GITHUB_WEB_URL: closedPort,
    };
    const open = { TRUSTED_PROXIES: '127.0.0.1', CHALLENGE_ABOVE_PER_10_MINUTES: '100000' };
    const env = { ...(await testEnv()), ...open, ...noTaskTool, ...overrides };
    const started = await Promise.all(
      serviceNames.map(async (name) => [name, await startForTest(definitions[name] as never, env)] as const),
    );
    const addresses = Object.fromEntries(started.map(([name, { url }]) => [`${name.toUpperCase()}_URL`, url]));
    const gatewayEnv = { ...env, ...addresses };
    return new TestApp(gatewayEnv, Object.fromEntries(started) as TestApp['services'], await startForTest(gateway, gatewayEnv));
  }

  /** Starts a second gateway replica in front of the same services. */
  async secondGateway(overrides: Env = {}): Promise<RunningService> {
    return startForTest(gateway, { ...this.env, ...overrides });
  }

  /** A new browser with a new client address, on the product's host unless `host` is given. */
  browser(host = new URL(this.env['PUBLIC_URL']!).host, address = anIpAddress()): Browser {
    return new Browser(this.gateway.url, host, { 'x-forwarded-for': address });
  }

  /** Signs up and confirms with the emailed link; nothing is signed in yet. */
  async account(email = anAddress()): Promise<string> {
    const browser = this.browser();
    const answer = await browser.post('/auth/sign-up', { email, password, first_name: 'Ada' });
    if (answer.status !== 202) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
    const mail = await mailbox.waitFor({ to: email });
    const token = new URL(mail.links.find((link) => link.includes('token='))!).searchParams.get('token');
    // In another browser, where the link confirms but does not sign in.
    const confirmed = await this.browser().post('/auth/confirm-email', { token });
    if (confirmed.status !== 200) throw new Error(`confirm-email answered ${confirmed.status}: ${confirmed.text}`);
    return email;
  }

  async signIn(email: string, browser = this.browser()): Promise<{ browser: Browser; session: Session }> {
    const answer = await browser.post<Session>('/auth/sign-in', { email, password });
    if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
    return { browser, session: answer.data };
  }

  /** Signs up, confirms, signs in and creates an organization. */
  async signUpOwner(name = `Org ${randomUUID().slice(0, 8)}`): Promise<OwnerSession> {
    const email = await this.account();
    const { browser, session } = await this.signIn(email);
    const answer = await browser.post<Organization>('/organizations', { name });
    if (answer.status !== 201) throw new Error(`organizations answered ${answer.status}: ${answer.text}`);
    const organization = answer.data;
    return { browser, email, password, session, organization, portalHost: `${organization.subdomain}.${browser.host}` };
  }

  /** A browser signed in with this role by a token that is made here: for permission tests, which need a role but no real user. */
  as(role: Role | null, organization_id: string | null, user_id: string = randomUUID()): Browser {
    const { SESSION_SECRET, PUBLIC_URL } = this.env as { SESSION_SECRET: string; PUBLIC_URL: string };
    const config = { SESSION_SECRET: [SESSION_SECRET], PUBLIC_URL };
    const tokens = new AccessTokens(config);
    const cookies = new SessionCookies(config);
    const soon = Math.floor(Date.now() / 1000) + 3600;
    const sid = randomUUID();
    const browser = this.browser();
    const put = (name: string, value: string) => browser.cookies.set(name, { value, path: '/', attributes: '' });
    put(cookies.names.access, tokens.sign({ sub: user_id, sid, org: organization_id, role, ver: 1, enrol: false, idle: soon, abs: soon }));
    put(cookies.names.csrf, new CsrfTokens(tokens, cookies).for(sid));
    return browser;
  }

  async ticket(browser: Browser, overrides: Partial<Ticket> = {}): Promise<Ticket> {
    const answer = await browser.post<Ticket>('/tickets', {
      subject: 'The printer is on fire',
      customer_email: anAddress('customer'),
      ...overrides,
    });
    if (answer.status !== 201) throw new Error(`tickets answered ${answer.status}: ${answer.text}`);
    return answer.data;
  }
}

export const startTestApp = (overrides?: Env) => TestApp.start(overrides);

/** The number of addresses in 198.18.0.0/15, which is reserved for tests (RFC 2544). */
const testAddresses = 2 ** 17;
let lastAddress = randomInt(testAddresses);

/** Never the same address twice in one test file: two clients with one address would share its limits. */
export function anIpAddress(): string {
  lastAddress = (lastAddress + 1) % testAddresses;
  return `198.${18 + (lastAddress >> 16)}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** The status and code of an error response; throws for a success. */
export const codeOf = (answer: { status: number; body: { code?: AppError['code'] } }) => {
  if (answer.body.code === undefined) throw new Error(`no problem: ${answer.status}`);
  return `${answer.status} ${answer.body.code}`;
};
