import { randomBytes } from 'node:crypto';
import type { Violation } from '../clickup/api';
import { RequestCheck } from '../clickup/request-check';
import { paramsOf } from '../clickup/route';
import type { DeliveryRules } from '../deliveries';
import { Faults } from '../faults';
import { type Outcome, type SandboxAnswer, type SandboxRequest, SandboxServer } from '../http';
import { RateLimit } from '../rate-limit';
import { type LoggedRequest, RequestLog } from '../request-log';
import { gitHubRequests, tooLong } from './requests';
import { gitHubRoutes } from './routes';
import { GitHubError, type User } from './state';
import { World } from './world';

export interface GitHubSandboxOptions {
  /** GitHub's limit per token, default 5,000; GitHub counts per hour, this sandbox per minute. */
  rateLimit?: number;
  deliveries?: Partial<DeliveryRules>;
  now?: () => number;
}

/**
 * A GitHub sandbox for tests: repositories identified by number, their issues, comments and signed webhooks. Written from GitHub's
 * documentation; it shares no code with our client, so that a wrong assumption in one of them fails a test.
 */
export class GitHubSandbox {
  readonly faults = new Faults();
  readonly violations: Violation[] = [];
  readonly world: World;
  private readonly log = new RequestLog();
  private readonly check = new RequestCheck(gitHubRequests());
  private readonly tokens = new Map<string, User>();
  private readonly rate: RateLimit;
  private server!: SandboxServer;

  private constructor({ rateLimit = 5_000, deliveries = {}, now = Date.now }: GitHubSandboxOptions) {
    this.rate = new RateLimit({ limit: rateLimit, timeScale: 1 });
    this.world = new World({ attempts: 1, timeoutMs: 10_000, retryDelayMs: 0, delayMs: 0, concurrency: 20, ...deliveries }, now);
  }

  static async start(options: GitHubSandboxOptions = {}): Promise<GitHubSandbox> {
    const sandbox = new GitHubSandbox(options);
    sandbox.server = await SandboxServer.listen((request) => sandbox.handle(request));
    return sandbox;
  }

  /** In production `https://api.github.com`. */
  get apiUrl(): string {
    return this.server.url;
  }

  get requests(): readonly LoggedRequest[] {
    return this.log.entries;
  }

  async close(): Promise<void> {
    this.world.deliveries.close();
    await this.server.away();
  }

  away = (): Promise<void> => this.server.away();
  back = (): Promise<void> => this.server.back();

  issueToken(login = 'tandem-bot'): string {
    const token = `ghp_${randomBytes(18).toString('hex')}`;
    this.tokens.set(token, this.user(login));
    return token;
  }

  user(login: string): User {
    const user = this.world.users.find((each) => each.login === login);
    if (!user) throw new Error(`Unknown user ${login}`);
    return user;
  }

  private async handle(request: SandboxRequest): Promise<Outcome> {
    const { method, url } = request;
    const message = this.check.fault(asJson(request), url.pathname);
    if (message !== undefined) this.violations.push({ method, path: url.pathname + url.search, message });
    const effect = this.faults.take(method, url.pathname);
    if (effect?.kind === 'answer') return effect.answer;
    if (effect?.kind === 'hang' || effect?.kind === 'disconnect') return effect.kind;
    const answer = this.answer(request, message);
    if (effect?.kind === 'lose-answer') return 'disconnect';
    if (effect?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, effect.ms));
    return answer;
  }

  private answer(request: SandboxRequest, violation: string | undefined): SandboxAnswer {
    const { method, url } = request;
    const [key, handler, params] = this.route(method, url.pathname);
    let headers: Record<string, string> = {};
    let answer: SandboxAnswer;
    try {
      const token = /^(?:Bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const user = this.tokens.get(token);
      if (!user) throw new GitHubError(401, 'Bad credentials');
      const rate = this.rate.take(token, Date.now());
      headers = rate.headers;
      if (!rate.allowed) throw new GitHubError(403, 'API rate limit exceeded for user');
      if (violation) throw new GitHubError(422, 'Validation Failed', tooLong(bodyOf(request)));
      if (!handler) throw new GitHubError(404, 'Not Found');
      answer = handler({ user, params, query: url.searchParams, body: bodyOf(request), path: url.pathname });
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const { status, message, errors } = error;
      answer = { status, body: { message, ...(errors?.length && { errors }), documentation_url: 'https://docs.github.com/rest' } };
    }
    const { authorization } = request.headers;
    this.log.add({ method, path: url.pathname + url.search, route: key, authorization, status: answer.status, at: Date.now() });
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  private route(method: string, path: string) {
    for (const [key, handler] of Object.entries(gitHubRoutes(this.world))) {
      const [wanted, template = ''] = key.split(' ');
      const params = wanted === method ? paramsOf(template, path) : undefined;
      if (params) return [template, handler, params] as const;
    }
    return [undefined, undefined, {}] as const;
  }
}

/** GitHub parses a body as JSON, regardless of its content type. */
const asJson = (request: SandboxRequest): SandboxRequest => ({
  ...request,
  headers: { ...request.headers, 'content-type': 'application/json' },
});

function bodyOf({ body }: SandboxRequest): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
