import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** A caught email as in `/api/messages`. Times are ISO strings. */
export interface Mail {
  id: string;
  message_id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Every http(s) URL in the text and the HTML, without duplicates, in reading order. */
  links: string[];
  received_at: string;
  /** Names in lower case; the values of a repeated header are joined by ', '. */
  headers: Record<string, string>;
}

const keptMails = 2000;

/** The emails, one file each (`<id>.eml`, preceded by the envelope in three lines). The oldest are deleted above a maximum number. */
export class MailStore {
  readonly directory: string;
  readonly #mails: Mail[] = []; // oldest first

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.directory = realpathSync(directory);
  }

  /**
   * Reads the emails of earlier runs and deletes files left incomplete by a crash: an email gets its final name only when it is complete.
   */
  async load(): Promise<void> {
    for (const name of readdirSync(this.directory).sort()) {
      if (name.endsWith('.part')) rmSync(join(this.directory, name));
      if (name.endsWith('.eml')) this.#mails.push(await parse(name.slice(0, -4), readFileSync(join(this.directory, name))));
    }
    this.#dropOldest();
  }

  /** Stores an email; returns once it is on disk. */
  async add(raw: Buffer, envelope: { from: string; to: string[] }): Promise<Mail> {
    const now = new Date().toISOString();
    // File names sort by time, even across restarts.
    const id = `${now.replace(/\D/g, '')}-${randomBytes(5).toString('hex')}`;
    const content = Buffer.concat([Buffer.from(`${now}\n${envelope.from}\n${envelope.to.join(' ')}\n`), raw]);
    const mail = await parse(id, content);
    const file = await open(join(this.directory, `${id}.part`), 'w', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    renameSync(join(this.directory, `${id}.part`), this.#file(id));
    this.#mails.push(mail);
    this.#dropOldest();
    return mail;
  }

  /** Newest first; with `to`, only emails to this address (case-insensitive). */
  list(to?: string): Mail[] {
    const wanted = to?.toLowerCase();
    return this.#mails.filter((mail) => !wanted || mail.to.some((each) => each.toLowerCase() === wanted)).reverse();
  }

  get(id: string): Mail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  clear(): void {
    for (const mail of this.#mails.splice(0)) rmSync(this.#file(mail.id), { force: true });
  }

  #dropOldest(): void {
    for (const mail of this.#mails.splice(0, Math.max(0, this.#mails.length - keptMails))) rmSync(this.#file(mail.id), { force: true });
  }

  #file(id: string): string {
    return join(this.directory, `${id}.eml`);
  }
}

async function parse(id: string, content: Buffer): Promise<Mail> {
  const [receivedAt, from, to, start] = envelopeOf(content);
  const mail = await PostalMime.parse(content.subarray(start));
  const headers: Record<string, string> = {};
  for (const { key, value } of mail.headers) headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  const [text, html] = [mail.text ?? '', mail.html ?? ''];
  return {
    id,
    message_id: mail.messageId ?? '',
    from: mail.from?.address || from,
    to: to.split(' ').filter(Boolean), // from the envelope, so it includes blind copies
    subject: mail.subject ?? '',
    text,
    html,
    links: linksIn(text, html),
    received_at: receivedAt,
    headers,
  };
}

function envelopeOf(content: Buffer): [receivedAt: string, from: string, to: string, start: number] {
  let start = 0;
  const lines = [0, 1, 2].map(() => {
    const end = content.indexOf(0x0a, start);
    const line = content.subarray(start, end).toString('utf8');
    start = end + 1;
    return line;
  });
  return [lines[0]!, lines[1]!, lines[2]!, start];
}

function linksIn(text: string, html: string): string[] {
  const inText = text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  const inHtml = [...html.matchAll(/href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((found) =>
    (found[1] ?? found[2] ?? '').replaceAll('&amp;', '&'),
  );
  const all = [...inText.map((each) => each.replace(/[.,;:!?]+$/, '')), ...inHtml.filter((each) => /^https?:/i.test(each))];
  return [...new Set(all)];
}
