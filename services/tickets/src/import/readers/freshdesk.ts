import type { TicketRecord } from '@tandem/contracts';
import type { ImportInput, ImportReader, SourceItem, SourcePlace } from '../import-reader';
import { archivesOf, openArchiveEntry, type Archive } from './archive';
import { articleItems } from './article-items';
import { customFieldValues } from './custom-field-values';
import { attachmentsOf, fileItems } from './file-items';
import { htmlToMarkdown, htmlToText } from './html-markdown';
import { JsonFiles, type JsonItem } from './json-files';
import { emailOf, firstText, isObject, keyOf, listOf, objectOf, textOf, type JsonObject } from './json-values';
import { authorOf, People, teammateKey, type SourcePerson } from './people';
import { OncePerImport, problem, record, subjectOr } from './source-items';
import { isoTime } from './times';
import { priorityFrom, statusFrom } from './value-names';

/**
 * Reads the export of a Freshdesk account: a ZIP archive with `Tickets0.json`, `Users0.json`, `Agents0.json`, `Solutions0.json` and further
 * files, each an array of objects like `{"helpdesk_ticket": {…}}`. The format of the export is not documented. The objects are those of
 * version 1 of the API (https://developers.freshdesk.com/api/v1/). Objects of version 2, which programs save
 * (https://developers.freshdesk.com/api/), are read as well.
 */
const lists = ['tickets', 'contacts', 'agents', 'articles'];

const isSolutions = (name: string): boolean => /solution|article/i.test(name) && !/ticket/i.test(name);
const isPeople = (name: string): boolean => /user|contact|agent/i.test(name) && !/ticket/i.test(name);
const isTickets = (name: string): boolean => !isSolutions(name) && !isPeople(name);

export const freshdeskReader: ImportReader = {
  source: 'freshdesk',
  async *read(input) {
    const files = await JsonFiles.open(input, lists, 1);
    const people = new People();
    for await (const item of files.read(isPeople)) {
      if (!('json' in item)) yield item;
      else addPerson(item, people);
    }
    const solutions = new Solutions();
    for await (const item of files.read(isSolutions)) yield* 'json' in item ? solutions.read(unwrapped(item.json), item.at) : [item];
    const tickets = new FreshdeskTickets(input, people, await archivesOf(input));
    for await (const item of files.read(isTickets)) yield* 'json' in item ? tickets.read(unwrapped(item.json), item.at) : [item];
    files.assertNotEmpty();
  },
  openEntry: openArchiveEntry,
};

/** `{"user": {…}}` as the user. */
function unwrapped(value: JsonObject): JsonObject {
  const members = Object.values(value);
  return members.length === 1 && isObject(members[0]) ? members[0] : value;
}

/** Version 2 has the name and address of an agent in `contact`; the ID of the agent is that of the contact. */
function addPerson({ json: value, at }: JsonItem, people: People): void {
  const user = unwrapped(value);
  const contact = isObject(user.contact) ? user.contact : user;
  const id = keyOf(user.id);
  if (id === null) return;
  const isStaff = /agent/i.test(at.file) || user.helpdesk_agent === true || 'ticket_scope' in user;
  people.add(id, { name: textOf(contact.name), email: emailOf(contact.email), isStaff, language: textOf(contact.language) });
}

/** https://developers.freshdesk.com/api/#ticket_attributes ; 6 and 7 are part of the default statuses. */
const statuses: Record<string, TicketRecord['status']> = {
  2: 'open', 3: 'waiting_for_customer', 4: 'resolved', 5: 'closed', 6: 'waiting_for_customer', 7: 'in_progress',
}; // prettier-ignore
const priorities: Record<string, TicketRecord['priority']> = { 1: 'low', 2: 'medium', 3: 'high', 4: 'urgent' };
const channels: Record<string, TicketRecord['channel']> = { 1: 'email', 2: 'portal', 3: 'staff', 7: 'widget', 9: 'widget', 10: 'staff' };

class FreshdeskTickets {
  private readonly once = new OncePerImport();

  constructor(
    private readonly input: ImportInput,
    private readonly people: People,
    private readonly archives: readonly Archive[],
  ) {}

  *read(ticket: JsonObject, at: SourcePlace): Generator<SourceItem, void> {
    // Groups, companies, time entries and settings of the account.
    if (!('requester_id' in ticket) && !('requester' in ticket)) return;
    const key = keyOf(ticket.display_id ?? ticket.id);
    if (key === null) return void (yield problem('value.missing', at, { kind: 'ticket', field: 'id' }));
    const reason = ['spam', 'deleted'].find((field) => ticket[field] === true);
    if (reason) return void (yield problem('record.left_out', at, { kind: 'ticket', key, field: reason }));
    const created_at = isoTime(ticket.created_at);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'ticket', key, field: 'created_at', value: textOf(ticket.created_at) }));
    yield* this.ticket(ticket, { key, created_at }, at);
    yield* this.files(ticket, { ticket: key, comment: null, created_at }, at);
    const notes = [...listOf(ticket.notes), ...listOf(ticket.conversations)].map(objectOf).map(unwrapped);
    for (const [index, note] of notes.entries()) yield* this.note(note, { key, ticket, fallbackKey: `${key}-${index + 1}` }, at);
  }

  private *ticket(
    ticket: JsonObject,
    { key, created_at }: { key: string; created_at: string },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    const status = this.status(ticket);
    const priority = priorities[keyOf(ticket.priority) ?? ''] ?? null;
    const named = priority === null ? priorityFrom(firstText(ticket.priority_name, ticket.priority), this.input) : null;
    for (const item of [status.item, named?.item]) if (item) yield item;
    const html = firstText(ticket.description_html, 'description_text' in ticket ? ticket.description : null);
    const text = firstText(ticket.description_text, html === null ? null : htmlToText(html), ticket.description);
    const requester = this.requester(ticket);
    const states = objectOf(ticket.ticket_states ?? ticket.stats);
    const assignee = keyOf(ticket.responder_id);
    const data: TicketRecord = {
      key,
      number: key.slice(0, 40),
      subject: subjectOr(textOf(ticket.subject), text),
      description: text,
      status: status.value,
      priority: priority ?? named!.value,
      category: firstText(ticket.ticket_type, ticket.type),
      tags: listOf(ticket.tags).flatMap((tag) => firstText(objectOf(tag).name, tag) ?? []),
      channel: channels[keyOf(ticket.source) ?? ''] ?? null,
      customer: { email: requester.email ?? '', name: requester.name },
      cc: ccOf(ticket, requester.email),
      language: null,
      assignee: assignee === null ? null : yield* teammateKey(assignee, this.agent(assignee, ticket), this.once, at),
      custom_fields: yield* customFieldValues(fieldsOf(ticket), this.input.custom_fields, this.once, at),
      created_at,
      updated_at: isoTime(ticket.updated_at) ?? created_at,
      resolved_at: isoTime(states.resolved_at) ?? isoTime(states.closed_at),
      url: null,
    };
    yield record('ticket', data, at);
  }

  /** Accounts can have statuses of their own, with numbers from 8. */
  private status(ticket: JsonObject) {
    const value = statuses[keyOf(ticket.status) ?? ''];
    return value ? { value, item: null } : statusFrom(firstText(ticket.status_name, ticket.status), this.input);
  }

  private requester(ticket: JsonObject): SourcePerson {
    const own = objectOf(ticket.requester);
    const known = this.people.find(keyOf(ticket.requester_id ?? own.id));
    const name = firstText(own.name, known?.name, ticket.requester_name);
    return { name, email: emailOf(own.email) ?? known?.email ?? emailOf(ticket.email), isStaff: false };
  }

  private agent(id: string, ticket: JsonObject): SourcePerson {
    return this.people.find(id) ?? { name: textOf(ticket.responder_name), email: null, isStaff: true };
  }

  private *note(
    note: JsonObject,
    { key: ticketKey, ticket, fallbackKey }: { key: string; ticket: JsonObject; fallbackKey: string },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    const key = keyOf(note.id) ?? fallbackKey;
    if (note.deleted === true) return;
    const created_at = isoTime(note.created_at);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'comment', key, field: 'created_at', value: textOf(note.created_at) }));
    const id = keyOf(note.user_id);
    const requester = keyOf(ticket.requester_id ?? objectOf(ticket.requester).id);
    const responder = keyOf(ticket.responder_id);
    const known = id !== null && id === requester ? this.requester(ticket) : this.people.find(id);
    const person = known ?? (id !== null && id === responder ? this.agent(id, ticket) : undefined);
    const author = yield* authorOf({ id, requester, person }, this.once, at);
    const content = contentOf(note, author.kind !== 'customer');
    if (content === null && attachmentsOf(note, 'attachments').length === 0) return;
    yield record('comment', { key, ticket: ticketKey, author, is_internal: note.private === true, content: content ?? '', created_at }, at);
    yield* this.files(note, { ticket: ticketKey, comment: key, created_at }, at);
  }

  private *files(
    value: JsonObject,
    to: { ticket: string; comment: string | null; created_at: string },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    for (const file of attachmentsOf(value, 'attachments')) {
      const name = firstText(file.content_file_name, file.name);
      yield* fileItems({ id: file.id, name, size: file.content_file_size ?? file.size, url: file.attachment_url }, to, this.archives, at);
    }
  }
}

/** Version 1 has `body` as text and `body_html`, version 2 has `body` as HTML and `body_text`. */
function contentOf(note: JsonObject, isMarkdown: boolean): string | null {
  const html = firstText(note.body_html, 'body_text' in note ? note.body : null);
  if (isMarkdown) return html === null ? textOf(note.body) : htmlToMarkdown(html);
  return firstText(note.body_text, html === null ? null : htmlToText(html), note.body);
}

/** `Ada <ada@example.com>` or `ada@example.com`. */
function ccOf(ticket: JsonObject, requester: string | null): string[] {
  const all = [...listOf(ticket.cc_emails), ...listOf(objectOf(ticket.cc_email).cc_emails)].flatMap((each) => emailOf(each) ?? []);
  const addresses = all.map((each) => /<([^<>]+)>/.exec(each)?.[1] ?? each);
  return [...new Set(addresses)].filter((address) => address !== requester);
}

/** Names end with the ID of the account in version 1: `order_number_1234`. Version 2 writes `cf_order_number`. */
function* fieldsOf(ticket: JsonObject) {
  for (const [name, value] of Object.entries(objectOf(ticket.custom_field ?? ticket.custom_fields))) {
    yield { names: [name.replace(/^cf_/, '').replace(/_\d{3,}$/, ''), name], value };
  }
}

/** https://developers.freshdesk.com/api/#solutions : categories contain folders, and folders contain articles. */
class Solutions {
  private position = 0;

  *read(category: JsonObject, at: SourcePlace): Generator<SourceItem, void> {
    if ('title' in category && 'folder_id' in category) return yield* this.article(category, null, true, at);
    for (const folder of [...listOf(category.all_folders), ...listOf(category.folders)].map(objectOf).map(unwrapped)) {
      const id = keyOf(folder.id);
      const key = id === null ? null : `folder-${id}`;
      const articles = listOf(folder.articles).map(objectOf).map(unwrapped);
      if (key !== null && articles.length > 0) {
        const name = [textOf(category.name), textOf(folder.name)].filter((each) => each !== null).join(' / ') || 'Untitled';
        yield record('article_category', { key, name, description: textOf(folder.description), position: ++this.position }, at);
      }
      // 1: everybody, 2: signed-in customers, 3: agents, 4: some companies
      const isPublic = folder.visibility === undefined || folder.visibility === 1;
      for (const article of articles) yield* this.article(article, key, isPublic, at);
    }
  }

  private *article(article: JsonObject, category: string | null, isPublic: boolean, at: SourcePlace): Generator<SourceItem, void> {
    const id = keyOf(article.id);
    const created_at = isoTime(article.created_at);
    if (id === null || created_at === null) {
      const field = id === null ? 'id' : 'created_at';
      return void (yield problem(id === null ? 'value.missing' : 'time.invalid', at, {
        kind: 'article',
        key: id,
        field,
        value: textOf(article.created_at),
      }));
    }
    const common = {
      key: `article-${id}`,
      title: textOf(article.title) ?? 'Untitled',
      summary: textOf(objectOf(article.seo_data).meta_description),
      category,
      visibility: isPublic ? ('public' as const) : ('internal' as const),
      // 1: draft, 2: published
      state: article.status === 1 ? ('draft' as const) : ('published' as const),
      created_at,
      updated_at: isoTime(article.modified_at) ?? isoTime(article.updated_at) ?? created_at,
    };
    yield* articleItems({ ...common, html: textOf(article.description) ?? '', locale: textOf(article.language_code) }, at);
  }
}
