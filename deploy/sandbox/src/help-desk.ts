import { Faults } from './faults';
import { type Outcome, type SandboxAnswer, type SandboxRequest, SandboxServer } from './http';
import { type LoggedRequest, RequestLog } from './request-log';

/** `requests` are allowed in `windowMs`; all further ones are answered with 429 until the window ends. */
export interface Throttle {
  requests: number;
  windowMs: number;
  /** The value of the header `Retry-After`; without it the header is missing, as it is by default in Rack::Attack. */
  retryAfter?: string;
}

/**
 * The server of a sandbox of another help desk, for tests of imports. It is read-only. Subclasses share no code with our readers and are
 * written from the vendor's documentation and source, so that a wrong assumption in one of the two fails a test.
 */
export abstract class HelpDeskSandbox {
  readonly faults = new Faults();
  /** Requests that the vendor would not expect: changes, and tokens in addresses. */
  readonly violations: string[] = [];
  /** Called before each request is answered, with its path and query: a test changes rows here while they are read. */
  onRequest: ((path: string) => void) | undefined;
  throttle: Throttle | undefined;
  /** How many requests were in progress at the same time, at most. */
  peak = 0;
  private active = 0;
  private window = { end: 0, used: 0 };
  private readonly log = new RequestLog();
  private server!: SandboxServer;

  protected async listen(): Promise<void> {
    this.server = await SandboxServer.listen((request) => this.handle(request));
  }

  get url(): string {
    return this.server.url;
  }

  get requests(): readonly LoggedRequest[] {
    return this.log.entries;
  }

  close = (): Promise<void> => this.server.away();

  /** Forgets what was requested, and removes faults, the throttle and `onRequest`. */
  reset(): void {
    this.faults.clear();
    this.log.clear();
    this.violations.length = 0;
    this.throttle = undefined;
    this.onRequest = undefined;
    this.peak = 0;
  }

  /** All tokens that were issued; they must never be part of an address. */
  protected abstract tokens(): string[];
  /** Whether this request only reads. */
  protected abstract isRead(request: SandboxRequest): boolean;
  protected abstract answer(request: SandboxRequest): SandboxAnswer;
  protected abstract tooManyRequests(): SandboxAnswer;

  private async handle(request: SandboxRequest): Promise<Outcome> {
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
    try {
      return await this.outcome(request);
    } finally {
      this.active -= 1;
    }
  }

  private async outcome(request: SandboxRequest): Promise<Outcome> {
    const { method, url } = request;
    const path = url.pathname + url.search;
    if (!this.isRead(request)) this.violations.push(`${method} ${path} changes data`);
    if (this.tokens().some((token) => path.includes(token))) this.violations.push(`${method} ${url.pathname} has the token in its address`);
    const record = (answer: Outcome): Outcome => {
      const status = typeof answer === 'string' ? 0 : answer.status;
      this.log.add({ method, path, route: undefined, authorization: request.headers.authorization, status, at: Date.now() });
      return answer;
    };
    const effect = this.faults.take(method, path);
    if (effect?.kind === 'answer') return record(effect.answer);
    if (effect?.kind === 'hang' || effect?.kind === 'disconnect') return record(effect.kind);
    if (this.isThrottled()) return record(this.tooManyRequests());
    this.onRequest?.(path);
    const answer = this.answer(request);
    if (effect?.kind === 'lose-answer') return record('disconnect');
    if (effect?.kind === 'delay' || effect?.kind === 'late') await new Promise((resolve) => setTimeout(resolve, effect.ms));
    return record(answer);
  }

  private isThrottled(): boolean {
    if (!this.throttle) return false;
    const now = Date.now();
    if (now >= this.window.end) this.window = { end: now + this.throttle.windowMs, used: 0 };
    this.window.used += 1;
    return this.window.used > this.throttle.requests;
  }
}

/** The header of a 429, if the throttle sends one. */
export const retryHeader = ({ retryAfter }: Throttle = { requests: 0, windowMs: 0 }): Record<string, string> =>
  retryAfter === undefined ? {} : { 'retry-after': retryAfter };

/** The rows of a page, from 1. */
export const pageOf = <T>(rows: readonly T[], page: number, size: number): T[] => rows.slice((page - 1) * size, page * size);
