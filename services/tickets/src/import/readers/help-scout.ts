import type { CommentRecord, TicketRecord } from '@tandem/contracts';
import type { ImportInput, ImportReader, SourceItem, SourcePlace } from '../import-reader';
import { archivesOf, openArchiveEntry, type Archive } from './archive';
import { articleItems } from './article-items';
import { customFieldValues } from './custom-field-values';
import { attachmentsOf, fileItems } from './file-items';
import { htmlToMarkdown, htmlToText } from './html-markdown';
import { JsonFiles } from './json-files';
import { emailOf, firstText, isObject, keyOf, listOf, objectOf, textOf, type JsonObject } from './json-values';
import { authorOf, teammateKey, type SourcePerson } from './people';
import { OncePerImport, problem, record, subjectOr } from './source-items';
import { isoTime } from './times';
import { statusFrom } from './value-names';

/**
 * Reads conversations and articles that were saved from the APIs of Help Scout. Its own export does not contain the texts of conversations: https://developer.helpscout.com/mailbox-api/endpoints/conversations/list/ (with `embed=threads`) and
 * https://developer.helpscout.com/docs-api/objects/article/ . Pages of the API, arrays and one object per line are read.
 */
const lists = ['_embedded.conversations', 'conversations', 'items', 'articles', 'articles.items', 'categories.items'];

export const helpScoutReader: ImportReader = {
  source: 'help_scout',
  async *read(input) {
    const files = await JsonFiles.open(input, lists, 1);
    const conversations = new Conversations(input, await archivesOf(input));
    for await (const item of files.read(() => true)) {
      if (!('json' in item)) {
        yield item;
        continue;
      }
      const value = unwrapped(item.json);
      if (isConversation(value)) yield* conversations.read(value, item.at);
      else if ('collectionId' in value && 'text' in value) yield* articleOf(value, item.at);
      else if ('collectionId' in value && 'name' in value && !('publicUrl' in value)) yield* categoryOf(value, item.at);
    }
    files.assertNotEmpty();
  },
  openEntry: openArchiveEntry,
};

const isConversation = (value: JsonObject): boolean =>
  'primaryCustomer' in value || 'mailboxId' in value || Array.isArray(objectOf(value._embedded).threads);

/** `{"article": {…}}` of the Docs API. */
function unwrapped(value: JsonObject): JsonObject {
  const only = Object.keys(value).length === 1 ? (value.article ?? value.category ?? value.conversation) : undefined;
  return isObject(only) ? only : value;
}

const statuses: Record<string, TicketRecord['status']> = {
  active: 'open',
  open: 'open',
  pending: 'waiting_for_customer',
  closed: 'closed',
};
/** `source.type`, of the list in https://developer.helpscout.com/mailbox-api/endpoints/conversations/get/ */
const channels: Record<string, TicketRecord['channel']> = {
  email: 'email', emailfwd: 'email', web: 'portal', docs: 'portal', beacon: 'widget', chat: 'widget', 'beacon-v2': 'widget', api: 'api', coreapi: 'api', manual: 'staff',
}; // prettier-ignore
/** Satisfaction ratings of Help Scout as ours. */
const ratings: Record<string, number> = { great: 5, okay: 3, not_good: 1, 'not good': 1, bad: 1 };

/** Threads with what people wrote. All others are entries of the timeline. */
const written = new Set(['customer', 'message', 'reply', 'note', 'chat', 'phone', 'forwardchild', 'forwardparent', 'beaconchat']);

class Conversations {
  private readonly once = new OncePerImport();

  constructor(
    private readonly input: ImportInput,
    private readonly archives: readonly Archive[],
  ) {}

  *read(conversation: JsonObject, at: SourcePlace): Generator<SourceItem, void> {
    const key = keyOf(conversation.id);
    if (key === null) return void (yield problem('value.missing', at, { kind: 'ticket', field: 'id' }));
    const reason = [conversation.status, conversation.state]
      .map(textOf)
      .find((value) => value === 'spam' || value === 'deleted' || value === 'draft');
    if (reason) return void (yield problem('record.left_out', at, { kind: 'ticket', key, field: 'state', value: reason }));
    const created_at = isoTime(conversation.createdAt);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'ticket', key, field: 'createdAt', value: textOf(conversation.createdAt) }));
    const threads = yield* this.threads(conversation, at);
    // The first message is the description, unless only teammates can see it.
    const first = threads[0] && threads[0].type !== 'note' ? threads[0] : undefined;
    yield* this.ticket(conversation, { key, created_at, first, threads }, at);
    for (const [index, thread] of threads.entries()) {
      if (thread === first) yield* this.files(thread, { ticket: key, comment: null, created_at }, at);
      else yield* this.thread(thread, { key, fallbackKey: `${key}-${index + 1}`, customer: idOf(conversation.primaryCustomer) }, at);
    }
  }

  /** The threads with text, the first at the beginning: the API returns the newest first. */
  private *threads(conversation: JsonObject, at: SourcePlace): Generator<SourceItem, JsonObject[]> {
    const all = [...listOf(objectOf(conversation._embedded).threads), ...listOf(conversation.threads)].map(objectOf);
    const published = all.filter(
      (thread) => written.has(String(textOf(thread.type))) && !['draft', 'underreview'].includes(String(textOf(thread.state))),
    );
    if (published.length < all.length) yield* this.once.problem('line items', 'record.left_out', at, { kind: 'history' });
    return published.sort((a, b) => String(textOf(a.createdAt)).localeCompare(String(textOf(b.createdAt))));
  }

  private *ticket(
    conversation: JsonObject,
    { key, created_at, first, threads }: ConversationFacts,
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    const status = statuses[String(textOf(conversation.status))];
    const named = status ? null : statusFrom(textOf(conversation.status), this.input);
    if (named?.item) yield named.item;
    const customer = objectOf(conversation.primaryCustomer);
    const text = first ? htmlToText(textOf(first.body) ?? '') : null;
    const assignee = idOf(conversation.assignee);
    const fields = listOf(conversation.customFields).map(objectOf);
    const named_fields = fields.map((field) => ({
      names: [textOf(field.name), `help_scout_${keyOf(field.id)}`],
      value: firstText(field.text, field.value),
    }));
    const updated_at = latest(created_at, conversation.userUpdatedAt, conversation.closedAt, ...threads.map((thread) => thread.createdAt));
    const data: TicketRecord = {
      key,
      number: keyOf(conversation.number)?.slice(0, 40) ?? null,
      subject: subjectOr(textOf(conversation.subject), text),
      description: text,
      status: status ?? named!.value,
      priority: 'medium',
      category: null,
      tags: listOf(conversation.tags).flatMap((tag) => firstText(objectOf(tag).tag, objectOf(tag).name, tag) ?? []),
      channel: channels[String(textOf(objectOf(conversation.source).type))] ?? null,
      customer: { email: emailOf(customer.email) ?? '', name: nameOf(customer) },
      cc: [...new Set(listOf(conversation.cc).flatMap((each) => emailOf(each) ?? []))],
      language: null,
      assignee: assignee === null ? null : yield* teammateKey(assignee, personOf(conversation.assignee), this.once, at),
      custom_fields: yield* customFieldValues(named_fields, this.input.custom_fields, this.once, at),
      created_at,
      updated_at,
      resolved_at: isoTime(conversation.closedAt),
      url: keyOf(conversation.number) === null ? null : `https://secure.helpscout.net/conversation/${key}/${keyOf(conversation.number)}`,
      ...surveyOf(threads, updated_at),
    };
    yield record('ticket', data, at);
  }

  private *thread(
    thread: JsonObject,
    { key: ticket, fallbackKey, customer }: { key: string; fallbackKey: string; customer: string | null },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    const key = keyOf(thread.id) ?? fallbackKey;
    const created_at = isoTime(thread.createdAt);
    if (created_at === null)
      return void (yield problem('time.invalid', at, { kind: 'comment', key, field: 'createdAt', value: textOf(thread.createdAt) }));
    const author = yield* this.author(thread, customer, at);
    const html = textOf(thread.body);
    const content = html === null ? null : author.kind === 'customer' ? htmlToText(html) : htmlToMarkdown(html);
    if (content === null && filesOf(thread).length === 0) return;
    // A hidden thread was removed from emails to customers.
    const is_internal = thread.type === 'note' || thread.state === 'hidden' || thread.type === 'forwardparent';
    yield record('comment', { key, ticket, author, is_internal, content: content ?? '', created_at }, at);
    yield* this.files(thread, { ticket, comment: key, created_at }, at);
  }

  private *author(thread: JsonObject, customer: string | null, at: SourcePlace): Generator<SourceItem, CommentRecord['author']> {
    const person = personOf(thread.createdBy);
    const id = idOf(thread.createdBy);
    // IDs of customers and of users are of two different sequences.
    const requester = person?.isStaff ? null : customer;
    return yield* authorOf({ id, requester, person }, this.once, at);
  }

  /** The API returns an address that requires a token, so the bytes must be part of the archive. */
  private *files(
    thread: JsonObject,
    to: { ticket: string; comment: string | null; created_at: string },
    at: SourcePlace,
  ): Generator<SourceItem, void> {
    for (const file of filesOf(thread)) {
      const href = textOf(objectOf(objectOf(file._links).data).href) ?? textOf(file.url);
      const url = href === null || /^https:\/\/api\.helpscout\.net\//.test(href) ? null : href;
      yield* fileItems({ id: file.id, name: firstText(file.filename, file.fileName), size: file.size, url }, to, this.archives, at);
    }
  }
}

interface ConversationFacts {
  key: string;
  created_at: string;
  first: JsonObject | undefined;
  threads: readonly JsonObject[];
}

const filesOf = (thread: JsonObject): JsonObject[] => [
  ...attachmentsOf(objectOf(thread._embedded), 'attachments'),
  ...attachmentsOf(thread, 'attachments'),
];

/** ID 0 stands for a person who does not exist: nobody is assigned. */
function idOf(person: unknown): string | null {
  const id = keyOf(objectOf(person).id);
  return id === '0' ? null : id;
}
const nameOf = (person: JsonObject): string | null =>
  firstText([person.first ?? person.firstName, person.last ?? person.lastName].flatMap((part) => textOf(part) ?? []).join(' '));
function personOf(value: unknown): SourcePerson | undefined {
  if (!isObject(value)) return undefined;
  const type = textOf(value.type);
  return { name: nameOf(value), email: emailOf(value.email), isStaff: type === 'user' || type === 'team' };
}

const latest = (first: string, ...times: unknown[]): string =>
  times.flatMap((time) => isoTime(time) ?? []).reduce((last, time) => (time > last ? time : last), first);

function surveyOf(threads: readonly JsonObject[], updated_at: string): Pick<TicketRecord, 'survey'> {
  for (const thread of threads.toReversed()) {
    const rated = isObject(thread.rating) ? thread.rating : {};
    const rating = ratings[(textOf(rated.rating) ?? '').toLowerCase()];
    if (rating)
      return {
        survey: {
          sent_at: null,
          rating,
          feedback: firstText(rated.comments, rated.comment),
          answered_at: isoTime(rated.createdAt) ?? updated_at,
        },
      };
  }
  return {};
}

function* articleOf(article: JsonObject, at: SourcePlace): Generator<SourceItem, void> {
  const id = keyOf(article.id);
  const created_at = isoTime(article.createdAt);
  if (id === null || created_at === null) {
    const field = id === null ? 'id' : 'createdAt';
    return void (yield problem(id === null ? 'value.missing' : 'time.invalid', at, {
      kind: 'article',
      key: id,
      field,
      value: textOf(article.createdAt),
    }));
  }
  const category = keyOf(listOf(article.categories)[0]);
  const common = {
    key: `article-${id}`,
    title: textOf(article.name) ?? 'Untitled',
    summary: textOf(article.description),
    category: category === null ? null : `category-${category}`,
    visibility: article.visibility === 'private' ? ('internal' as const) : ('public' as const),
    state: article.status === 'published' ? ('published' as const) : ('draft' as const),
    created_at,
    updated_at: isoTime(article.updatedAt) ?? created_at,
  };
  yield* articleItems({ ...common, html: textOf(article.text) ?? '', locale: null }, at);
}

function* categoryOf(category: JsonObject, at: SourcePlace): Generator<SourceItem, void> {
  const id = keyOf(category.id);
  if (id === null) return;
  const position = typeof category.order === 'number' && category.order >= 1 ? Math.trunc(category.order) : 1;
  yield record(
    'article_category',
    { key: `category-${id}`, name: textOf(category.name) ?? 'Untitled', description: textOf(category.description), position },
    at,
  );
}
