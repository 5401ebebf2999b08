import { languageNames, languages, matchLanguage, type CommentRecord, type Language, type TicketRecord } from '@tandem/contracts';
import type { ImportInput, SourceItem } from '../import-reader';
import { customFieldValues, yesOrNo } from './custom-field-values';
import { recordKind, type CsvTable, type MappedRow, type TableFacts } from './csv-table';
import { htmlToMarkdown, htmlToText, looksLikeHtml } from './html-markdown';
import { cleanText, emailOf, keyOf } from './json-values';
import { RowKeys } from './row-keys';
import { OncePerImport, problem, record, splitName } from './source-items';
import { parseTime } from './times';
import { plainName, priorityFrom, statusFrom } from './value-names';

const channels: Record<string, TicketRecord['channel']> = {
  email: 'email', 'e mail': 'email', mail: 'email', correo: 'email', courriel: 'email', web: 'portal', portal: 'portal', website: 'portal', form: 'portal',
  'web form': 'portal', formular: 'portal', 'public page': 'portal', widget: 'widget', chat: 'widget', messaging: 'widget', 'feedback widget': 'widget',
  api: 'api', staff: 'staff', agent: 'staff', phone: 'staff', telefon: 'staff', 'created by staff': 'staff',
}; // prettier-ignore
const internalWords = new Set([
  'internal',
  'private',
  'agents',
  'agent',
  'draft only',
  'team',
  'staff',
  'intern',
  'privat',
  'interne',
  'prive',
  'interno',
  'privado',
]);
const draftWords = new Set([
  'draft',
  'unpublished',
  'not published',
  'notpublished',
  'archived',
  'entwurf',
  'brouillon',
  'borrador',
  'false',
  '0',
  'no',
  'nein',
]);

/** Converts rows of CSV files to records. */
export class CsvRecords {
  private readonly keys = new RowKeys();
  private readonly once = new OncePerImport();
  private categories = 0;
  private readonly now = new Date().toISOString();

  constructor(
    private readonly input: ImportInput,
    private readonly teammates: ReadonlySet<string>,
  ) {}

  *fromRow(table: CsvTable, facts: TableFacts, row: MappedRow): Generator<SourceItem, void> {
    const missing = this.missing(table, row);
    if (missing !== undefined) return void (yield missing);
    if (table.kind === 'tickets') yield* this.ticket(table, facts, row);
    else if (table.kind === 'comments') yield* this.comment(facts, row);
    else if (table.kind === 'articles') yield* this.article(facts, row);
    else yield* this.customer(row);
  }

  private missing(table: CsvTable, row: MappedRow): SourceItem | undefined {
    const required = {
      tickets: ['customer_email'],
      comments: ['ticket_id', 'content'],
      customers: ['email', 'name'],
      articles: ['title', 'body'],
    };
    const field = required[table.kind].find((column) => row.get(column) === null);
    const kind = recordKind[table.kind];
    return field === undefined ? undefined : problem('value.missing', row.at, { kind, key: keyOf(row.get('id')), field });
  }

  private *ticket(table: CsvTable, facts: TableFacts, row: MappedRow): Generator<SourceItem, void> {
    const key = keyOf(row.get('id')) ?? this.keys.next(row.cells);
    const times = yield* this.times(facts, row, key, 'ticket');
    if (!times) return;
    const status = statusFrom(row.get('status'), this.input);
    const priority = priorityFrom(row.get('priority'), this.input);
    for (const { item } of [status, priority]) if (item) yield item;
    const fields = table.customFields.map(({ key: name, column }) => ({ names: [name], value: row.get(column) }));
    const custom_fields = yield* customFieldValues(fields, this.input.custom_fields, this.once, row.at);
    const assignee = yield* this.teammate(row.get('assignee'), row);
    const data: TicketRecord = {
      key,
      number: row.get('number')?.slice(0, 40) ?? null,
      subject: (row.get('subject') ?? 'No subject').replace(/\s+/g, ' '),
      description: asText(row.get('description')),
      status: status.value,
      priority: priority.value,
      category: row.get('category'),
      tags: tagsOf(row.get('tags')),
      channel: channels[plainName(row.get('channel') ?? '')] ?? null,
      customer: { email: row.get('customer_email')!, name: row.get('customer_name') },
      cc: [],
      language: null,
      assignee,
      custom_fields,
      ...times,
      url: null,
    };
    yield record('ticket', data, row.at);
  }

  private *comment(facts: TableFacts, row: MappedRow): Generator<SourceItem, void> {
    const key = keyOf(row.get('id')) ?? this.keys.next(row.cells);
    const ticket = keyOf(row.get('ticket_id'));
    if (ticket === null) return void (yield problem('value.invalid', row.at, { kind: 'comment', key, field: 'ticket_id' }));
    const times = yield* this.times(facts, row, key, 'comment');
    if (!times) return;
    const is_internal = internalOf(row.get('is_internal'));
    const author = yield* this.author(row, is_internal);
    const content = row.get('content')!;
    const convert = author.kind === 'customer' ? htmlToText : htmlToMarkdown;
    const data: CommentRecord = {
      key,
      ticket,
      author,
      is_internal,
      content: looksLikeHtml(content) ? convert(content) : content,
      created_at: times.created_at,
    };
    yield record('comment', data, row.at);
  }

  /** An address that no ticket is assigned to and that wrote no internal comment is a customer's. */
  private *author(row: MappedRow, isInternal: boolean): Generator<SourceItem, CommentRecord['author']> {
    const name = row.get('author_name');
    const email = emailOf(row.get('author_email'));
    const identity = [email, name].find((each) => each !== null && this.teammates.has(each)) ?? (isInternal ? (email ?? name) : null);
    if (identity !== null) return { kind: 'teammate', key: (yield* this.teammate(identity, row, name))! };
    return email !== null ? { kind: 'customer', email } : { kind: 'other', name: name ?? row.get('author_email') };
  }

  /** Yields the teammate once; returns the key. */
  private *teammate(identity: string | null, row: MappedRow, name: string | null = null): Generator<SourceItem, string | null> {
    if (identity === null) return null;
    const email = emailOf(identity);
    const key = (email ?? identity).slice(0, 200);
    const names = splitName(email === null ? identity : name);
    yield* this.once.item(`teammate ${key}`, () => record('teammate', { key, email, ...names }, row.at));
    return key;
  }

  private *article(facts: TableFacts, row: MappedRow): Generator<SourceItem, void> {
    const key = keyOf(row.get('id')) ?? this.keys.next(row.cells);
    const times = yield* this.times(facts, row, key, 'article');
    if (!times) return;
    const body = row.get('body')!;
    const data = {
      key,
      title: row.get('title')!,
      summary: row.get('summary'),
      body: looksLikeHtml(body) ? htmlToMarkdown(body) : body,
      language: languageOf(row.get('language')),
      category: yield* this.category(row),
      visibility: internalWords.has(plainName(row.get('visibility') ?? '')) ? ('internal' as const) : ('public' as const),
      state: draftWords.has(plainName(row.get('state') ?? '')) ? ('draft' as const) : ('published' as const),
      created_at: times.created_at,
      updated_at: times.updated_at,
    };
    yield record('article', data, row.at);
  }

  private *category(row: MappedRow): Generator<SourceItem, string | null> {
    const name = row.get('category');
    if (name === null) return null;
    const key = `category-${name}`.slice(0, 200);
    yield* this.once.item(key, () => record('article_category', { key, name, description: null, position: ++this.categories }, row.at));
    return key;
  }

  private *customer(row: MappedRow): Generator<SourceItem, void> {
    const email = row.get('email')!.toLowerCase();
    yield record('customer', { key: email.slice(0, 200), email, name: row.get('name')! }, row.at);
  }

  /** Undefined, after a problem, if a time cannot be read. A row without a time of creation was created now. */
  private *times(
    facts: TableFacts,
    row: MappedRow,
    key: string,
    kind: 'ticket' | 'comment' | 'article',
  ): Generator<SourceItem, Times | undefined> {
    const times: Record<string, string | null> = {};
    for (const column of ['created_at', 'updated_at', 'resolved_at']) {
      const text = row.get(column);
      times[column] = text === null ? null : parseTime(text, facts.orders.get(column)?.order ?? 'month_first');
      if (text === null || times[column] !== null) continue;
      yield problem('time.invalid', row.at, { kind, key, field: column, value: text });
      return undefined;
    }
    const created_at = times.created_at ?? times.updated_at ?? times.resolved_at ?? this.now;
    return { created_at, updated_at: times.updated_at ?? times.resolved_at ?? created_at, resolved_at: times.resolved_at ?? null };
  }
}

interface Times {
  created_at: string;
  updated_at: string;
  resolved_at: string | null;
}

const asText = (text: string | null): string | null => (text !== null && looksLikeHtml(text) ? htmlToText(text) : text);

export const tagsOf = (text: string | null): string[] =>
  [...new Set(text?.split(/[,;]/).map((tag) => cleanText(tag).trim()))].filter((tag) => tag !== '');

function internalOf(text: string | null): boolean {
  const name = plainName(text ?? '');
  return yesOrNo(text) ?? (internalWords.has(name) || /^(internal|private|intern|note)/.test(name));
}

/** A tag such as `de-CH`, or the name of the language in itself or in English. */
function languageOf(text: string | null): Language | null {
  if (text === null) return null;
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  const named = languages.find((language) =>
    [languageNames[language], english.of(language) ?? ''].some((name) => plainName(name) === plainName(text)),
  );
  return named ?? matchLanguage([text.replace('_', '-')], languages, null);
}
