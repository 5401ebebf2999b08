import { randomBytes } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { setTimeout as pause } from 'node:timers/promises';
import { call, demoSignIn, type Browser } from './browser.ts';
import type { Cluster } from './cluster.ts';
import { refreshEvery, type Load } from './load.ts';

interface Ticket {
  id: string;
  customer_email: string;
}
interface Mail {
  headers: Record<string, string>;
}

const signed = ['CONTEXT_SECRET', 'SESSION_SECRET', 'LINK_SECRET'];
const maxWaitMs = 120_000;
const rounds = 3;

/**
 * Rotates all secrets as docs/operating.md describes, with three rollouts: the new secret is verified, then used, then the old one is
 * removed (of `LINK_SECRET` it stays in the list). During each, old and new processes get requests. `step` is called with the name of each.
 */
export async function rotateSecrets(
  cluster: Cluster,
  load: Load,
  step: (name: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const next = new Map(signed.map((name) => [name, randomBytes(32).toString('base64url')]));
  const old = new Map([...signed, 'ENCRYPTION_KEYS'].map((name) => [name, cluster.env[name]!]));
  next.set('ENCRYPTION_KEYS', `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`);
  const rollOut = (values: (name: string) => string) => {
    cluster.deploy({ env: Object.fromEntries([...old.keys()].map((name) => [name, values(name)])) });
    return cluster.roll({ whileBothRun: () => load.rounds(rounds) });
  };
  await step('all processes verify the new secrets', () => rollOut((name) => `${old.get(name)},${next.get(name)}`));
  await step('the new secrets are used', () => rollOut((name) => `${next.get(name)},${old.get(name)}`));
  await cluster.command('tandem', 'keys', 'reseal');
  // Stands for the 30 minutes before the old secret of sessions is removed, in which every open page gets a new token.
  await load.rounds(2 * refreshEvery);
  await step('the old secrets are removed', () => rollOut((name) => (name === 'LINK_SECRET' ? cluster.env[name]! : next.get(name)!)));
}

/** What depends on each secret before a rotation, and must work after it. */
export class Evidence {
  readonly #cluster: Cluster;
  readonly #browser: Browser;
  readonly #ticket: Ticket;
  readonly #replyAddress: string;
  readonly #file: string;
  #fileUrl: string;

  private constructor(cluster: Cluster, browser: Browser, ticket: Ticket, replyAddress: string, file: string, fileUrl: string) {
    this.#cluster = cluster;
    this.#browser = browser;
    this.#ticket = ticket;
    this.#replyAddress = replyAddress;
    this.#file = file;
    this.#fileUrl = fileUrl;
  }

  /** A session, a ticket whose customer got an email, the link of a file, and a stored token of the task tool. */
  static async collect(cluster: Cluster): Promise<Evidence> {
    const { origin } = cluster;
    const browser = await demoSignIn(origin);
    await call(origin, browser, 'POST', '/task-tool/connection', { provider: 'clickup', token: cluster.taskToolToken });
    const ticket = await call<Ticket>(origin, browser, 'POST', '/tickets', { subject: 'Rotation', customer_email: 'rotation@example.com' });
    const announced = { file_name: 'rotation.txt', size: 8 };
    const file = await call<{ attachment_id: string; upload_url: string }>(origin, browser, 'POST', '/attachments', announced);
    const upload = { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: 'rotation' };
    await mustBeOk('upload', await fetch(origin + file.upload_url, upload));
    const { attachment_id } = file;
    const url = await linkTo(cluster, browser, attachment_id);
    return new Evidence(cluster, browser, ticket, await replyAddressFor(cluster, ticket), attachment_id, url);
  }

  /**
   * A new token for the session, as an open page gets before the old secret is removed, and a new link, because links expire after minutes:
   * each check uses the link of the generation before.
   */
  async refresh(): Promise<void> {
    const answer = await fetch(`${this.#cluster.origin}/api/v1/auth/refresh`, { method: 'POST', ...this.#browser.request({}) });
    this.#browser.accept(await mustBeOk('refresh', answer));
    this.#fileUrl = await linkTo(this.#cluster, this.#browser, this.#file);
  }

  /** Throws if the session has ended, the link is refused, a reply to the email does not reach the ticket, or the token cannot be opened. */
  async check(): Promise<void> {
    const { origin } = this.#cluster;
    await call(origin, this.#browser, 'GET', '/auth/session');
    const content = await (await mustBeOk('file link', await fetch(this.#fileUrl))).text();
    if (content !== 'rotation') throw new Error(`The file link returns ${content}`);
    await call(origin, this.#browser, 'GET', '/task-tool/workspaces');
    const text = `A reply of ${randomBytes(4).toString('hex')}`;
    await this.#reply(this.#replyAddress, text);
    await until('the reply is a comment', async () => {
      const found = await this.#cluster.rows('tickets', 'select from comments where ticket_id = $1 and content = $2', [
        this.#ticket.id,
        text,
      ]);
      return found.length > 0 || undefined;
    });
  }

  async #reply(to: string, text: string): Promise<void> {
    const port = this.#cluster.mailPort;
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await transport.sendMail({ from: this.#ticket.customer_email, to, subject: 'Re: Rotation', text });
  }
}

async function linkTo({ origin }: Cluster, browser: Browser, attachment_id: string): Promise<string> {
  const { url } = await call<{ url: string }>(origin, browser, 'POST', `/attachments/${attachment_id}/link`);
  return origin + url;
}

/** The Reply-To address of the first email to the customer. Read before the load, whose emails replace this one in the mailbox. */
function replyAddressFor(cluster: Cluster, { customer_email }: Ticket): Promise<string> {
  return until('the customer has an email', async () => {
    const answer = await fetch(`${cluster.mailboxUrl}/api/messages?to=${customer_email}`);
    return ((await answer.json()) as Mail[]).at(-1)?.headers['reply-to'];
  });
}

async function mustBeOk(what: string, answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + maxWaitMs; ; await pause(100)) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Not reached after ${maxWaitMs / 1_000} s: ${what}`);
  }
}
