import { verifyWebhook, WebhookVerificationError } from '@tandem/sdk';
import { asksForLocalhost, comesFromOwnPage, SandboxServer, type Outcome, type SandboxRequest } from '../http';
import { sinkPage } from './sink-page';

const KEPT = 500;

/** How the receiver answers. `redirect` answers with `status` 307 and a `Location`. */
export interface SinkSettings {
  answer: 'respond' | 'hang' | 'redirect';
  /** From 200 to 599; used if the answer is `respond`. */
  status: number;
  /** The header `Retry-After`, seconds or a date; empty: none. */
  retry_after: string;
  /** The endpoint's secrets (`whsec_…`): several during a rotation; none: nothing is verified. */
  secrets: string[];
}

/** `unchecked`: no secret has been entered. Otherwise the step that failed, and why. */
type Verification = { state: 'valid' | 'unchecked' } | { state: 'invalid'; step: string; message: string };

export interface SinkRequest {
  id: number;
  at: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The sink's answer: a status, or `hang`. */
  answer: string;
  verification: Verification;
}
type Stored = Omit<SinkRequest, 'verification'>;

const initial: SinkSettings = { answer: 'respond', status: 204, retry_after: '', secrets: [] };

/** A webhook receiver that shows and verifies requests, and responds as configured. It stores everything in memory. */
export class WebhookSink {
  private stored: Stored[] = [];
  private count = 0;
  private current = { ...initial };
  private server!: SandboxServer;

  static async start(options: { host?: string; port?: number } = {}): Promise<WebhookSink> {
    const sink = new WebhookSink();
    sink.server = await SandboxServer.listen((request) => sink.handle(request), options);
    return sink;
  }

  /** The address of the page. Webhooks go to `hookUrl`. */
  get url(): string {
    return this.server.url;
  }
  get hookUrl(): string {
    return `${this.url}/hook`;
  }
  get settings(): SinkSettings {
    return this.current;
  }

  close(): Promise<void> {
    return this.server.away();
  }

  /** Throws for invalid settings. */
  change(changes: Partial<SinkSettings>): void {
    const { answer, status, retry_after, secrets } = { ...this.current, ...changes };
    const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
    if (!['respond', 'hang', 'redirect'].includes(answer) || !isStatus)
      throw new TypeError('Choose an answer, and a status from 200 to 599');
    if (typeof retry_after !== 'string' || !/^[\x20-\x7e]{0,100}$/.test(retry_after))
      throw new TypeError('Retry-After is seconds or a date');
    if (!Array.isArray(secrets) || !secrets.every((secret) => /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)))
      throw new TypeError('A secret is whsec_ and base64, as Tandem showed it');
    this.current = { answer, status, retry_after, secrets };
  }

  clear(): void {
    this.stored = [];
  }

  /** The latest first, verified against the current secrets and the time of arrival. */
  requests(): Promise<SinkRequest[]> {
    const { secrets } = this.current;
    return Promise.all(this.stored.toReversed().map(async (each) => ({ ...each, verification: await verify(each, secrets) })));
  }

  private async handle(request: SandboxRequest): Promise<Outcome> {
    const { method, url } = request;
    if (url.pathname === '/hook' || url.pathname.startsWith('/hook/')) return this.receive(request);
    if (!asksForLocalhost(request)) return { status: 421, body: 'Use the host name localhost.' };
    if (method !== 'GET' && !comesFromOwnPage(request)) return { status: 403, body: 'Only the page of the sink may do this.' };
    switch (`${method} ${url.pathname}`) {
      case 'GET /':
        return { status: 200, body: sinkPage, headers: pageHeaders };
      case 'GET /api/instance':
        return { status: 200, body: { sink: true } };
      case 'GET /api/requests':
        return {
          status: 200,
          body: { hook_url: this.hookUrl.replace('127.0.0.1', 'localhost'), settings: this.current, requests: await this.requests() },
        };
      case 'DELETE /api/requests':
        this.clear();
        return { status: 204 };
      case 'PUT /api/settings':
        try {
          this.change(JSON.parse(request.body.toString()) as Partial<SinkSettings>);
          return { status: 200, body: this.current };
        } catch (error) {
          return { status: 422, body: { message: (error as Error).message } };
        }
      default:
        return { status: 404, body: 'Not found' };
    }
  }

  private receive({ method, url, headers, body }: SandboxRequest): Outcome {
    const { answer, status, retry_after } = this.current;
    const isHang = answer === 'hang';
    this.stored.push({
      id: (this.count += 1),
      at: new Date().toISOString(),
      method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body.toString(),
      answer: isHang ? 'hang' : String(answer === 'redirect' ? 307 : status),
    });
    if (this.stored.length > KEPT) this.stored.shift();
    if (isHang) return 'hang';
    if (answer === 'redirect') return { status: 307, headers: { location: `${this.hookUrl}/redirected` } };
    return { status, headers: retry_after === '' ? {} : { 'retry-after': retry_after } };
  }
}

async function verify({ body, headers, at }: Stored, secrets: string[]): Promise<Verification> {
  if (secrets.length === 0) return { state: 'unchecked' };
  try {
    await verifyWebhook(body, headers, secrets, { now: () => Date.parse(at) });
    return { state: 'valid' };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { state: 'invalid', step: error.step, message: error.message };
  }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
