import {
  articleLimits,
  recordSchemas,
  storedFieldValue,
  ticketLimits,
  type ArticleRecord,
  type CommentRecord,
  type CustomFieldValue,
  type ImportProblemCode,
  type ImportRecord,
  type RecordKind,
  type TicketRecord,
} from '@tandem/contracts';
import { fieldValueProblem, type CustomFieldRules } from '@tandem/contracts/values';
import * as z from 'zod';
import { numberOf } from './import';

/** A record as it is staged, with its problems. Without `staged`, it is left out. */
export interface CheckedRecord {
  staged: { key: string; parent: string | null; created_at: string; number: number | null; data: object } | undefined;
  problems: { code: ImportProblemCode; field: string | null; value: string | null }[];
}

export interface RecordContext {
  /** Records without a time of their own get this one; later times are refused. */
  now: string;
  fields: ReadonlyMap<string, CustomFieldRules>;
}

/** A clock of the source can be ahead of ours. */
const maxAheadMs = 10 * 60_000;
const Email = z.string().trim().toLowerCase().max(ticketLimits.email).pipe(z.email());

/** Thrown inside this file: the record is left out, because of a problem that has been added. */
class LeftOut extends Error {}

/** The start of a value, for the list of problems. */
const startOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, 100).toWellFormed();
};

const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const maxDepth = 20;
/** All texts without what cannot be stored: NUL, control characters and halves of surrogate pairs. Deeper members are dropped. */
function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(unstorable, '').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), storable(each, depth + 1)]));
}

/** Checks a record by its schema and its limits. Whether it is unique, and has its parent, is checked when all have been read. */
export function checkRecord({ kind, data }: ImportRecord, context: RecordContext): CheckedRecord {
  const check = new RecordCheck(context);
  try {
    return { staged: check.record(kind, storable(data)), problems: check.problems };
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    return { staged: undefined, problems: check.problems };
  }
}

type Staged = NonNullable<CheckedRecord['staged']>;

class RecordCheck {
  readonly problems: CheckedRecord['problems'] = [];

  constructor(private readonly context: RecordContext) {}

  record(kind: RecordKind, given: unknown): Staged {
    const parsed = recordSchemas[kind].safeParse(given);
    if (!parsed.success) return this.#refuse(parsed.error.issues[0]!, given);
    const record = { kind, data: parsed.data } as ImportRecord;
    const base = { key: parsed.data.key, parent: null, created_at: this.context.now, number: null, data: parsed.data };
    switch (record.kind) {
      case 'ticket':
        return this.#ticket(record.data);
      case 'comment':
        return this.#comment(record.data);
      case 'history':
        return { ...base, parent: record.data.ticket, created_at: this.#time('created_at', record.data.created_at) };
      case 'article':
        return this.#article(record.data);
      case 'article_version': {
        const { article, published_at } = record.data;
        return { ...base, parent: article, created_at: this.#time('published_at', published_at), data: this.#texts(record.data) };
      }
      case 'file':
        return { ...base, created_at: this.#time('created_at', record.data.created_at), parent: parentOfFile(record.data) };
      case 'customer': {
        const email = this.#email('email', record.data.email);
        return { ...base, parent: email, data: { ...record.data, email, name: this.#short('name', record.data.name, ticketLimits.name) } };
      }
      case 'article_category': {
        const { name, description } = record.data;
        const short = this.#required('name', this.#short('name', name, articleLimits.categoryName));
        return { ...base, data: { ...record.data, name: short, description: this.#optional('description', description, articleLimits.categoryDescription) } }; // prettier-ignore
      }
      default:
        return base;
    }
  }

  #ticket(ticket: TicketRecord): Staged {
    const email = this.#email('customer.email', ticket.customer.email);
    const created_at = this.#time('created_at', ticket.created_at);
    const not_before = (field: string, time: string | null | undefined) => this.#notBefore(field, time, created_at);
    const data: TicketRecord = {
      ...ticket,
      subject: this.#subject(ticket),
      description: this.#optional('description', ticket.description, ticketLimits.description),
      category: this.#optional('category', ticket.category, ticketLimits.category),
      tags: this.#list('tags', ticket.tags, ticketLimits.tags, (tag) => this.#short('tags', tag.trim(), 50)),
      customer: { email, name: this.#optional('customer.name', ticket.customer.name, ticketLimits.name) },
      cc: this.#cc(ticket.cc, email),
      custom_fields: this.#customFields(ticket.custom_fields),
      created_at,
      updated_at: not_before('updated_at', ticket.updated_at) ?? created_at,
      resolved_at: not_before('resolved_at', ticket.resolved_at) ?? null,
      // Without it, the first reply of a teammate counts; with null, none does.
      ...(ticket.first_response_at !== undefined && {
        first_response_at: not_before('first_response_at', ticket.first_response_at) ?? null,
      }),
      ...(ticket.external_id ? { external_id: this.#short('external_id', ticket.external_id, ticketLimits.externalId) } : {}),
    };
    return { key: ticket.key, parent: ticket.merged_into ?? null, created_at, number: numberOf(ticket.number), data };
  }

  #comment(comment: CommentRecord): Staged {
    const created_at = this.#time('created_at', comment.created_at);
    const author = comment.author.kind === 'customer' ? { kind: 'customer' as const, email: this.#customerOf(comment) } : comment.author;
    const content = this.#short('content', comment.content.trim(), ticketLimits.comment);
    if (content === '') this.#add('value.replaced', 'content', null);
    const data: CommentRecord = { ...comment, author, content: content || '(No text)', created_at };
    return { key: comment.key, parent: comment.ticket, created_at, number: null, data };
  }

  #customerOf({ author }: CommentRecord): string | null {
    if (author.kind !== 'customer' || author.email === null) return null;
    const email = Email.safeParse(author.email).data;
    if (email === undefined) this.#add('value.left_out', 'author.email', author.email);
    return email ?? null;
  }

  #article(article: ArticleRecord): Staged {
    const created_at = this.#time('created_at', article.created_at);
    const isEmpty = article.state === 'published' && article.body.trim() === '' && article.published_version == null;
    if (isEmpty) this.#add('value.replaced', 'state', article.state);
    const data: ArticleRecord = {
      ...this.#texts(article),
      state: isEmpty ? 'draft' : article.state,
      created_at,
      updated_at: this.#notBefore('updated_at', article.updated_at, created_at) ?? created_at,
      first_published_at: this.#notBefore('first_published_at', article.first_published_at, created_at) ?? null,
    };
    return { key: article.key, parent: null, created_at, number: null, data };
  }

  #texts<T extends { title: string; summary: string | null; body: string }>(texts: T): T {
    const title = this.#required('title', this.#short('title', texts.title, articleLimits.title));
    const summary = this.#optional('summary', texts.summary, articleLimits.summary);
    return { ...texts, title, summary, body: this.#short('body', texts.body, articleLimits.body) };
  }

  #subject({ subject, description }: TicketRecord): string {
    const given = this.#short('subject', subject.trim(), ticketLimits.subject);
    if (given !== '') return given;
    this.#add('value.replaced', 'subject', null);
    const firstLine = (description ?? '').split('\n').map((line) => line.trim()).find(Boolean); // prettier-ignore
    return firstLine?.slice(0, ticketLimits.subject).toWellFormed() ?? '(No subject)';
  }

  #cc(given: readonly string[], customer: string): string[] {
    const addresses = given.flatMap((address) => {
      const email = Email.safeParse(address).data;
      if (email === undefined) this.#add('value.left_out', 'cc', address);
      return email === undefined || email === customer ? [] : [email];
    });
    return this.#list('cc', addresses, ticketLimits.cc, (address) => address);
  }

  #customFields(given: Record<string, CustomFieldValue>): Record<string, CustomFieldValue> {
    const kept = Object.entries(given).flatMap(([key, typed]): [string, CustomFieldValue][] => {
      const field = this.context.fields.get(key);
      const value = storedFieldValue(typed);
      if (value === null) return [];
      if (field && fieldValueProblem(field, value) === undefined) return [[key, value]];
      this.#add('value.left_out', `custom_fields.${key}`.slice(0, 100), typed);
      return [];
    });
    return Object.fromEntries(kept);
  }

  #email(field: string, given: string): string {
    const email = Email.safeParse(given).data;
    return email ?? this.#leaveOut('email.invalid', field, given);
  }

  /** In UTC with milliseconds. */
  #time(field: string, given: string): string {
    return this.#inRange(given) ?? this.#leaveOut('time.invalid', field, given);
  }

  #notBefore(field: string, given: string | null | undefined, created_at: string): string | null {
    if (given === null || given === undefined) return null;
    const time = this.#inRange(given);
    if (time !== undefined && time >= created_at) return time;
    this.#add('time.order', field, given);
    return created_at;
  }

  #inRange(given: string): string | undefined {
    const ms = Date.parse(given);
    if (!(ms >= 0) || ms > Date.parse(this.context.now) + maxAheadMs) return undefined;
    return new Date(ms).toISOString();
  }

  #short(field: string, text: string, max: number): string {
    if (text.length <= max) return text;
    this.#add('value.shortened', field, text);
    return text.slice(0, max).toWellFormed();
  }

  #optional(field: string, text: string | null, max: number): string | null {
    return text === null ? null : this.#short(field, text.trim(), max) || null;
  }

  #required(field: string, text: string): string {
    return text.trim() || this.#leaveOut('value.missing', field, null);
  }

  #list(field: string, given: readonly string[], max: number, each: (text: string) => string): string[] {
    const all = [...new Set(given.map(each).filter(Boolean))];
    if (all.length > max) this.#add('value.shortened', field, all.slice(max).join(', '));
    return all.slice(0, max);
  }

  #refuse({ code, path, ...issue }: z.core.$ZodIssue, given: unknown): never {
    const value = path.reduce<unknown>((part, name) => (part as Record<PropertyKey, unknown> | undefined)?.[name], given);
    const isTime = code === 'invalid_format' && 'format' in issue && issue.format === 'datetime';
    const problem = isTime ? 'time.invalid' : value === undefined || value === '' ? 'value.missing' : 'value.invalid';
    return this.#leaveOut(problem, path.join('.').slice(0, 100) || null, value);
  }

  #add(code: ImportProblemCode, field: string | null, value: unknown): void {
    this.problems.push({ code, field, value: startOf(value) });
  }

  #leaveOut(code: ImportProblemCode, field: string | null, value: unknown): never {
    this.#add(code, field, value);
    throw new LeftOut();
  }
}

/** The kind and key of the record that a file belongs to: its comment if it has one. */
const parentOfFile = ({
  ticket,
  comment,
  article,
}: {
  ticket: string | null;
  comment: string | null;
  article: string | null;
}): string | null =>
  comment !== null ? `comment:${comment}` : ticket !== null ? `ticket:${ticket}` : article !== null ? `article:${article}` : null;
