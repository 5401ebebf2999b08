import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommentRecord, CustomFieldRecord, ExportLine, FileRecord, HistoryRecord, TicketRecord } from '@tandem/contracts';

/** Its name in the archive. */
export const customerPage = 'index.html';

interface PageInput {
  /** With the lines of the archive; the page is written into it. */
  folder: string;
  customer_email: string;
  organization: string;
  created_at: string;
}

/**
 * Writes the page that makes an export of a customer readable: it needs no other file, runs no script, and shows every value as text. It is
 * written from the files with lines, which are in the order of the tickets, so that one ticket at a time is in memory.
 */
export async function writeCustomerPage(input: PageInput): Promise<void> {
  await pipeline(Readable.from(pageParts(input)), createWriteStream(join(input.folder, customerPage), { flags: 'wx', mode: 0o600 }));
}

const styles = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
article{border:1px solid #8885;border-radius:.5rem;padding:1rem;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
.by{opacity:.75;font-size:.875rem}dt{font-weight:600}dd{margin:0 0 .25rem}:root{color-scheme:light dark}`;

async function* pageParts({ folder, customer_email, organization, created_at }: PageInput): AsyncGenerator<string> {
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Data about ${escape(customer_email)}</title><style>${styles}</style></head><body>
<h1>Data about <bdi>${escape(customer_email)}</bdi></h1>
<p>Everything that <bdi>${escape(organization)}</bdi> stores about this address in its help desk, as of ${escape(created_at)}. Internal notes of
the team are included. The other files of this archive have the same data for programs; <code>manifest.json</code> lists what was left out.</p>
<h2>Tickets</h2>`;
  const lines = new OrderedLines(folder);
  const labels = new Map<string, string>();
  for await (const { key, label } of lines.all<CustomFieldRecord>('custom_fields.jsonl')) labels.set(key, label);
  for await (const ticket of lines.all<TicketRecord>('tickets.jsonl')) yield* ticketParts(ticket, lines, labels);
  yield '<h2>Tickets of others</h2><p>Only your own comments are shown.</p>';
  for await (const ticket of lines.all<ExportLine<'other_tickets.jsonl'>>('other_tickets.jsonl')) {
    yield `<article><h3>${escape(ticket.number)}</h3>${ticket.is_in_cc ? '<p>You receive copies of this ticket.</p>' : ''}`;
    yield* conversationParts(ticket.ticket, lines);
    yield '</article>';
  }
  yield* listParts(
    'Emails to you',
    lines.all<ExportLine<'sent_emails.jsonl'>>('sent_emails.jsonl'),
    ({ kind, state, created_at: at, data }) => [`${at} · ${kind} · ${state}`, JSON.stringify(data, null, 2)],
  );
  yield* listParts(
    'Emails from you',
    lines.all<ExportLine<'received_emails.jsonl'>>('received_emails.jsonl'),
    ({ received_at, to, subject }) => [`${received_at} · to ${to}`, subject ?? ''],
  );
  yield* listParts('Original emails', lines.all<ExportLine<'original_emails.jsonl'>>('original_emails.jsonl'), (email) => [
    `${email.sent_at ?? ''} · ${email.subject ?? ''}`,
    [email.text, email.quoted_text].filter(Boolean).join('\n'),
  ]);
  yield* listParts(
    'Copies for the task tool',
    lines.all<ExportLine<'task_copies.jsonl'>>('task_copies.jsonl'),
    ({ subject, description }) => [subject, description ?? ''],
  );
  yield '</body></html>\n';
}

async function* ticketParts(ticket: TicketRecord, lines: OrderedLines, labels: ReadonlyMap<string, string>): AsyncGenerator<string> {
  const { number, subject, description, status, priority, category, tags, customer, cc, created_at, survey, custom_fields } = ticket;
  yield `<article><h3>${escape(number ?? '')} <bdi>${escape(subject)}</bdi></h3><dl>`;
  const facts: [string, unknown][] = [
    ['Created', created_at],
    ['Status', status],
    ['Priority', priority],
    ['Category', category],
    ['Tags', tags.join(', ')],
    ['Name', customer.name],
    ['Copies to', (cc ?? []).join(', ')],
    ['Rating', survey?.rating],
    ['Feedback', survey?.feedback],
    ...Object.entries(custom_fields ?? {}).map(([key, value]): [string, unknown] => [labels.get(key) ?? key, value]),
  ];
  for (const [name, value] of facts)
    if (value !== null && value !== undefined && value !== '') yield `<dt>${escape(name)}</dt><dd dir="auto">${escape(textOf(value))}</dd>`;
  yield '</dl>';
  if (description) yield `<pre dir="auto">${escape(description)}</pre>`;
  yield* conversationParts(ticket.key, lines);
  yield '</article>';
}

async function* conversationParts(ticket: string, lines: OrderedLines): AsyncGenerator<string> {
  for await (const { author, is_internal, created_at, content } of lines.of<CommentRecord>('comments.jsonl', ticket)) {
    const by = author.kind === 'customer' ? (author.email ?? 'Customer') : author.kind === 'other' ? (author.name ?? 'Other') : 'Team';
    yield `<section><p class="by"><bdi>${escape(by)}</bdi> · ${escape(created_at)}${is_internal ? ' · internal note' : ''}</p><pre dir="auto">${escape(content)}</pre></section>`;
  }
  for await (const { file_name, entry } of lines.of<FileRecord>('files.jsonl', ticket))
    yield `<p>File: ${entry ? `<a href="${escape(entry)}" download="${escape(file_name)}"><bdi>${escape(file_name)}</bdi></a>` : `<bdi>${escape(file_name)}</bdi>`}</p>`;
  const history: string[] = [];
  for await (const { created_at, kind, changes } of lines.of<HistoryRecord>('history.jsonl', ticket))
    history.push(
      `<li>${escape(created_at)} · ${escape(kind)}${Object.keys(changes).length > 0 ? ` · ${escape(JSON.stringify(changes))}` : ''}</li>`,
    );
  if (history.length > 0) yield `<details><summary>History</summary><ul>${history.join('')}</ul></details>`;
}

async function* listParts<Line>(title: string, lines: AsyncIterable<Line>, show: (line: Line) => [string, string]): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst) yield `<h2>${escape(title)}</h2>`;
    isFirst = false;
    const [by, text] = show(line);
    yield `<article><p class="by"><bdi>${escape(by)}</bdi></p><pre dir="auto">${escape(text)}</pre></article>`;
  }
}

/** Reads files with lines, whose tickets have the same order, next to each other. */
class OrderedLines {
  readonly #open = new Map<string, { lines: AsyncIterator<{ ticket: string | null }>; next: { ticket: string | null } | undefined }>();

  constructor(private readonly folder: string) {}

  async *all<Line>(name: string): AsyncGenerator<Line> {
    const source = createReadStream(join(this.folder, name));
    try {
      for await (const line of createInterface({ input: source, crlfDelay: Infinity })) yield JSON.parse(line) as Line;
    } finally {
      source.destroy();
    }
  }

  /** The next lines, as long as they belong to the ticket. */
  async *of<Line extends { ticket: string | null }>(name: string, ticket: string): AsyncGenerator<Line> {
    let file = this.#open.get(name);
    if (!file) {
      const lines = this.all<Line>(name)[Symbol.asyncIterator]();
      file = { lines, next: (await lines.next()).value as Line | undefined };
      this.#open.set(name, file);
    }
    while (file.next?.ticket === ticket) {
      yield file.next as Line;
      file.next = (await file.lines.next()).value as Line | undefined;
    }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
