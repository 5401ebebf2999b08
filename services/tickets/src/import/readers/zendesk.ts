import { languages, matchLanguage, type TicketRecord } from '@tandem/contracts';
import type { ImportInput, ImportReader, SourceItem, SourcePlace } from '../import-reader';
import { archivesOf, openArchiveEntry, type Archive } from './archive';
import { customFieldValues } from './custom-field-values';
import { htmlToMarkdown, htmlToText } from './html-markdown';
import { attachmentsOf, fileItems } from './file-items';
import { JsonFiles, type JsonItem } from './json-files';
import { emailOf, firstText, keyOf, listOf, objectOf, textOf, type JsonObject } from './json-values';
import { authorOf, People, teammateKey, type SourcePerson } from './people';
import { OncePerImport, problem, record, subjectOr } from './source-items';
import { isoTime } from './times';
import { priorityFrom } from './value-names';
import { articleOf, sectionOf } from './zendesk-articles';

/**
 * Reads the JSON export of a Zendesk account, one object per line, with the objects of the API, whose tickets contain their people and
 * comments: https://support.zendesk.com/hc/en-us/articles/4408886165402 and
 * https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ ; also what programs save from the API (`{"tickets": […]}`, with
 * `users`, `ticket_fields` and the help center's `articles`, `sections`).
 *
 * Zendesk documents neither the names of the embedded people nor those of the files: objects are recognized by their members, and people by
 * `requester`, `submitter`, `assignee` and `collaborator`, or their IDs.
 */
const lists = ['tickets', 'users', 'ticket_fields', 'articles', 'sections'];

export const zendeskReader: ImportReader = {
  source: 'zendesk',
  async *read(input) {
    const files = await JsonFiles.open(input, lists, 2);
    const facts = new Facts();
    for await (const item of files.read(() => true, { report: false })) if ('json' in item) facts.collect(item);
    const tickets = new ZendeskTickets(input, facts, await archivesOf(input));
    for await (const item of files.read(() => true)) {
      if (!('json' in item)) yield item;
      else if (kindOf(item) === 'ticket') yield* tickets.read(item);
      else if (kindOf(item) === 'article') yield* articleOf(item);
      else if (kindOf(item) === 'section') yield* sectionOf(item);
    }
    files.assertNotEmpty();
  },
  openEntry: openArchiveEntry,
};

const roles = new Set(['agent', 'admin']);

function kindOf({ json: value, list }: JsonItem): 'ticket' | 'user' | 'field' | 'article' | 'section' | null {
  if (list === 'ticket_fields') return 'field';
  if ('requester_id' in value || 'requester' in value) return 'ticket';
  if ('section_id' in value && 'body' in value) return 'article';
  if (list === 'sections' || ('category_id' in value && 'name' in value)) return 'section';
  if ('role' in value && 'email' in value) return 'user';
  return 'raw_title' in value || ('title' in value && 'custom_field_options' in value) ? 'field' : null;
}

/** What must be known before the first ticket: the order of lines and files is not documented. */
class Facts {
  readonly people = new People();
  readonly fieldNames = new Map<string, string>();

  collect(item: JsonItem): void {
    const kind = kindOf(item);
    const id = keyOf(item.json.id);
    if (kind === 'user') this.addPerson(item.json);
    else if (kind === 'field' && id !== null) this.fieldNames.set(id, firstText(item.json.title, item.json.raw_title) ?? id);
    if (kind !== 'ticket') return;
    // End users of a ticket are read with their ticket.
    for (const person of embedded(item.json)) if (roles.has(String(textOf(person.role)))) this.addPerson(person);
  }

  private addPerson(user: JsonObject): void {
    const id = keyOf(user.id);
    if (id !== null) this.people.add(id, personOf(user));
  }
}

const embedded = (ticket: JsonObject): JsonObject[] => [
  ...[ticket.requester, ticket.submitter, ticket.assignee].map(objectOf),
  ...listOf(ticket.collaborator).map(objectOf),
  ...listOf(ticket.comments).map((comment) => objectOf(objectOf(comment).author)),
];

const personOf = (user: JsonObject): SourcePerson => ({
  name: textOf(user.name),
  email: emailOf(user.email),
  isStaff: roles.has(String(textOf(user.role))),
  language: textOf(user.locale),
});

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#json-format */
const statuses: Record<string, TicketRecord['status']> = {
  new: 'open', open: 'open', pending: 'waiting_for_customer', hold: 'in_progress', solved: 'resolved', closed: 'closed',
}; // prettier-ignore
/** https://developer.zendesk.com/documentation/ticketing/reference-guides/via-types/ */
const channels: Record<string, TicketRecord['channel']> = {
  email: 'email', web: 'portal', web_form: 'portal', help_center: 'portal', web_widget: 'widget', widget: 'widget', chat: 'widget', native_messaging: 'widget',
  messaging: 'widget', mobile_sdk: 'widget', api: 'api', web_service: 'api', voice: 'staff', phone_call_inbound: 'staff', phone_call_outbound: 'staff',
}; // prettier-ignore

class ZendeskTickets {
  private readonly once = new OncePerImport();

  constructor(
    private readonly input: ImportInput,
    private readonly facts: Facts,
    private readonly archives: readonly Archive[],
  ) {}

  *read({ json: ticket, at }: JsonItem): Generator<SourceItem, void> {
    const key = keyOf(ticket.id);
    if (key === null) return void (yield problem('value.missing', at, { kind: 'ticket', field: 'id' }));
    const status = textOf(ticket.status);
    if (status === 'deleted') return void (yield problem('record.left_out', at, { kind: 'ticket', key, field: 'status', value: status }));
    const created_at = isoTime(ticket.created_at);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'ticket', key, field: 'created_at', value: textOf(ticket.created_at) }));
    const local = new LocalPeople(ticket, this.facts.people);
    const comments = listOf(ticket.comments)
      .map(objectOf)
      .sort((a, b) => String(textOf(a.created_at)).localeCompare(String(textOf(b.created_at))));
    // The description of a ticket is its first comment. If that is internal, customers must not see it.
    const isPublic = ticket.is_public !== false && comments[0]?.public !== false;
    const first = isPublic ? comments[0] : undefined;
    yield* this.ticket(ticket, { key, created_at, local, first, isInternal: !isPublic }, at);
    for (const [index, comment] of comments.entries()) {
      if (comment === first) yield* this.files(comment, { ticket: key, comment: null, created_at }, at);
      else yield* this.comment(comment, `${key}-${index + 1}`, { key, created_at, local, isPublic: ticket.is_public !== false }, at);
    }
  }

  private *ticket(ticket: JsonObject, facts: TicketFacts, at: SourcePlace): Generator<SourceItem, void> {
    const { key, created_at, local, first, isInternal } = facts;
    const priority = priorityFrom(textOf(ticket.priority), this.input);
    if (priority.item) yield priority.item;
    const status = statuses[String(textOf(ticket.status))] ?? 'open';
    const text = first ? contentOf(first, false) : textOf(ticket.description);
    const requester = local.find(local.requester);
    const fields = listOf(ticket.custom_fields).map(objectOf);
    const named = fields.map(({ id, value }) => ({
      names: [this.facts.fieldNames.get(keyOf(id) ?? '') ?? null, `zendesk_${keyOf(id)}`],
      value,
    }));
    const updated_at = isoTime(ticket.updated_at) ?? created_at;
    const assignee = keyOf(objectOf(ticket.assignee).id ?? ticket.assignee_id);
    const data: TicketRecord = {
      key,
      number: key.slice(0, 40),
      subject: subjectOr(firstText(ticket.subject, ticket.raw_subject), text),
      description: isInternal ? null : text,
      status,
      priority: priority.value,
      category: categoryOf(textOf(ticket.type)),
      tags: listOf(ticket.tags).flatMap((tag) => textOf(tag) ?? []),
      channel: channels[String(textOf(objectOf(ticket.via).channel))] ?? null,
      customer: { email: requester?.email ?? '', name: requester?.name ?? null },
      cc: local.cc,
      language: requester?.language ? matchLanguage([requester.language], languages, null) : null,
      assignee: assignee === null ? null : yield* teammateKey(assignee, local.find(assignee), this.once, at),
      custom_fields: yield* customFieldValues(named, this.input.custom_fields, this.once, at),
      created_at,
      updated_at,
      resolved_at: isoTime(objectOf(ticket.metric_set).solved_at) ?? isoTime(ticket.solved_at),
      url: textOf(ticket.url)?.replace(/\/api\/v2\/tickets\/(\d+)\.json$/, '/agent/tickets/$1') ?? null,
      ...surveyOf(objectOf(ticket.satisfaction_rating), updated_at),
    };
    yield record('ticket', data, at);
    // Without comments, the text is only in the ticket.
    if (isInternal && !first && text !== null && listOf(ticket.comments).length === 0) {
      const author = { kind: 'other' as const, name: null };
      yield record('comment', { key: `${key}-description`, ticket: key, author, is_internal: true, content: text, created_at }, at);
    }
  }

  private *comment(
    comment: JsonObject,
    fallbackKey: string,
    { key: ticket, created_at: opened, local, isPublic }: CommentFacts & { isPublic: boolean },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    const key = keyOf(comment.id) ?? fallbackKey;
    const created_at = isoTime(comment.created_at);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'comment', key, field: 'created_at', value: textOf(comment.created_at) }));
    const id = keyOf(objectOf(comment.author).id ?? comment.author_id);
    const author = yield* authorOf({ id, requester: local.requester, person: local.find(id) }, this.once, at);
    const content = contentOf(comment, author.kind !== 'customer');
    const hasFiles = attachmentsOf(comment, 'attachments').length > 0;
    if (content === null && !hasFiles) return;
    yield record(
      'comment',
      {
        key,
        ticket,
        author,
        is_internal: comment.public === false || (comment.public !== true && !isPublic),
        content: content ?? '',
        created_at,
      },
      at,
    );
    yield* this.files(comment, { ticket, comment: key, created_at: created_at ?? opened }, at);
  }

  private *files(
    comment: JsonObject,
    to: { ticket: string; comment: string | null; created_at: string },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    for (const file of attachmentsOf(comment, 'attachments')) {
      const name = textOf(file.file_name);
      // https://developer.zendesk.com/api-reference/ticketing/tickets/ticket-attachments/#json-format
      if (file.malware_scan_result === 'malware_found')
        yield problem('file.refused', at, { kind: 'file', key: keyOf(file.id), value: name });
      else yield* fileItems({ id: file.id, name, size: file.size, url: file.content_url }, to, this.archives, at);
    }
  }
}

interface CommentFacts {
  key: string;
  created_at: string;
  local: LocalPeople;
}
interface TicketFacts extends CommentFacts {
  first: JsonObject | undefined;
  isInternal: boolean;
}

/** The people of one ticket, who are part of it or of another file. */
class LocalPeople {
  readonly requester: string | null;
  readonly cc: string[];
  private readonly own = new Map<string, SourcePerson>();

  constructor(
    ticket: JsonObject,
    private readonly all: People,
  ) {
    for (const person of embedded(ticket)) {
      const id = keyOf(person.id);
      if (id !== null) this.own.set(id, personOf(person));
    }
    this.requester = keyOf(objectOf(ticket.requester).id ?? ticket.requester_id);
    const ids = [
      ...listOf(ticket.collaborator_ids),
      ...listOf(ticket.email_cc_ids),
      ...listOf(ticket.collaborator).map((person) => objectOf(person).id),
    ].map(keyOf);
    const addresses = [...new Set(ids)].filter((id) => id !== this.requester).map((id) => this.find(id));
    this.cc = addresses.flatMap((person) => (person?.email && !person.isStaff ? [person.email] : []));
  }

  find(id: string | null): SourcePerson | undefined {
    return id === null ? undefined : (this.own.get(id) ?? this.all.find(id));
  }
}

function contentOf(comment: JsonObject, isMarkdown: boolean): string | null {
  const html = textOf(comment.html_body);
  if (isMarkdown) return html === null ? firstText(comment.plain_body, comment.body) : htmlToMarkdown(html);
  const plain = textOf(comment.plain_body)?.replaceAll('&nbsp;', ' ');
  return firstText(plain, html === null ? null : htmlToText(html), comment.body);
}

const categoryOf = (type: string | null): string | null => (type === null ? null : type.charAt(0).toUpperCase() + type.slice(1));

/** A ticket does not have the time of its rating: its last update is the latest possible. Zendesk has two ratings, ours has five. */
function surveyOf({ score, comment }: JsonObject, updated_at: string): Pick<TicketRecord, 'survey'> {
  if (score !== 'good' && score !== 'bad') return {};
  return { survey: { sent_at: null, rating: score === 'good' ? 5 : 1, feedback: textOf(comment), answered_at: updated_at } };
}
