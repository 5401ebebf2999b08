import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, demoSignIn } from './browser.ts';
import { summarize, type Attempt, type Summary } from './summary.ts';

export interface LoadReport {
  reads: Summary;
  /** First attempts and repeats. */
  writes: Summary;
  /** The subjects of all tickets whose creation was accepted. */
  tickets: string[];
  /** The texts of all comments that were accepted. */
  comments: string[];
  /** The longest time from the first attempt of a write until it was accepted. */
  longestWriteMs: number;
  /** The number of writes that needed more than one attempt. */
  repeated: number;
}

export interface LoadOptions {
  origin: string;
  /** Begins every text. */
  name: string;
  users: number;
  paceMs: number;
}

/** Longer than a killed process leaves an idempotency key reserved (3 seconds), and than its restart takes. */
const maxWriteMs = 60_000;
/** Rounds of a member for each new access token. */
export const refreshEvery = 5;

/**
 * Customers and members of staff who work until `stop`: customers submit tickets and open them, members list tickets, comment and refresh
 * their session. A write that is refused is repeated with the same `Idempotency-Key`; a read is not repeated.
 */
export class Load {
  readonly #options: LoadOptions;
  readonly #attempts: Attempt[] = [];
  readonly #begun = performance.now();
  readonly #report = { tickets: [] as string[], comments: [] as string[], longestWriteMs: 0, repeated: 0 };
  #isStopping = false;
  #clients: Promise<void>[] = [];
  #rounds = 0;

  private constructor(options: LoadOptions) {
    this.#options = options;
  }

  static async start(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    const browsers = await Promise.all(Array.from({ length: options.users }, () => demoSignIn(options.origin)));
    load.#clients = browsers.flatMap((browser, i) => [
      load.#work((n) => load.#asCustomer(i, n)),
      load.#work((n) => load.#asMember(browser, i, n)),
    ]);
    for (const client of load.#clients) client.catch(() => undefined); // `rounds` and `stop` throw it
    return load;
  }

  /** Rejects as soon as a client gives up; does not resolve, so that it never wins a race. */
  get failed(): Promise<never> {
    return Promise.race(this.#clients.map((client) => client.then(() => new Promise<never>(() => undefined))));
  }

  get elapsedMs(): number {
    return performance.now() - this.#begun;
  }

  /** Resolves once every client has completed this number of rounds more. */
  async rounds(count: number): Promise<void> {
    const goal = this.#rounds + count * this.#clients.length;
    while (this.#rounds < goal) await Promise.race([pause(20), this.failed]);
  }

  async stop(): Promise<LoadReport> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
    return { reads: this.#summary('read'), writes: this.#summary('write'), ...this.#report };
  }

  async #work(round: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !this.#isStopping; n++) {
      await round(n);
      this.#rounds++;
      await pause(this.#options.paceMs);
    }
  }

  async #asCustomer(i: number, n: number): Promise<void> {
    const customer_email = `${this.#options.name}-${i}@example.com`;
    const subject = `${this.#options.name} ${i} ${n}`;
    const ticket = await this.#write<{ id: string }>(new Browser(), '/public/tickets', { subject, customer_email });
    this.#report.tickets.push(subject);
    await this.#attempt('read', `/public/tickets/${ticket.id}?email=${customer_email}`);
  }

  async #asMember(browser: Browser, i: number, n: number): Promise<void> {
    if (n % refreshEvery === refreshEvery - 1) await this.#refresh(browser);
    const listed = await this.#attempt('read', '/tickets?limit=5', browser.request());
    const [ticket] = listed ? ((await listed.json()) as { data: { id: string }[] }).data : [];
    if (!ticket) return;
    const content = `${this.#options.name} ${i} ${n}`;
    await this.#write(browser, `/tickets/${ticket.id}/comments`, { content, is_internal: true });
    this.#report.comments.push(content);
  }

  /** A response may be lost with a killed process. The previous refresh token is valid for some seconds more, so the browser tries again. */
  async #refresh(browser: Browser): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.#attempt('write', '/auth/refresh', { method: 'POST', ...browser.request({}) });
      if (answer) return browser.accept(answer);
      await pause(500);
    }
    throw new Error('A session could not be refreshed');
  }

  /** Returns the data of the response. Throws for a refusal that a repeat cannot change, and if no attempt is accepted. */
  async #write<T>(browser: Browser, path: string, body: object): Promise<T> {
    const init = { method: 'POST', ...browser.request(body, { 'idempotency-key': randomUUID() }) };
    const from = performance.now();
    for (let tries = 1; performance.now() - from < maxWriteMs; tries++) {
      const answer = await this.#attempt('write', path, init);
      if (answer) {
        this.#report.longestWriteMs = Math.max(this.#report.longestWriteMs, performance.now() - from);
        if (tries > 1) this.#report.repeated++;
        return ((await answer.json()) as { data: T }).data;
      }
      await pause(200);
    }
    throw new Error(
      `POST ${path} was not accepted for ${maxWriteMs / 1_000} s: ${this.#attempts.findLast(({ failure }) => failure)?.failure}`,
    );
  }

  async #attempt(kind: Attempt['kind'], path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const from = this.elapsedMs;
    const add = (failure?: string) => void this.#attempts.push({ kind, from, until: this.elapsedMs, failure });
    try {
      const answer = await fetch(`${this.#options.origin}/api/v1${path}`, { ...init, signal: AbortSignal.timeout(30_000) });
      // Read completely: a killed process also breaks bodies.
      const body = await answer.arrayBuffer();
      const whole = new Response(body.byteLength > 0 ? body : null, { status: answer.status, headers: answer.headers });
      add(
        answer.ok
          ? undefined
          : `${init.method ?? 'GET'} ${path.replace(/[0-9a-f-]{36}.*/, '…')}: ${answer.status} ${codeIn(await whole.clone().text())}`,
      );
      return answer.ok ? whole : undefined;
    } catch (error) {
      add((error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name);
      return undefined;
    }
  }

  #summary(kind: Attempt['kind']): Summary {
    return summarize(this.#attempts.filter((each) => each.kind === kind));
  }
}

const codeIn = (body: string): string => /"code":"([^"]+)"/.exec(body)?.[1] ?? '';
