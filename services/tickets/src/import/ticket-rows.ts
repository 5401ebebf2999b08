import type { CommentRecord, HistoryRecord, ImportSource, Ticket, TicketRecord } from '@tandem/contracts';
import { isResolvedOrClosed } from '../ticket/ticket';
import type { ChildSummary } from './record.store';

/** Members and names of teammates, by key; and ids of tickets that are part of the import, by key. */
export interface References {
  users: ReadonlyMap<string, string>;
  /** Those who may be assigned and watch. */
  active: ReadonlySet<string>;
  names: ReadonlyMap<string, string>;
  tickets: ReadonlyMap<string, string>;
}

const userOf = (key: string | null | undefined, { users }: References): string | null => (key ? (users.get(key) ?? null) : null);
const activeUser = (key: string | null | undefined, references: References): string | null => {
  const user_id = userOf(key, references);
  return user_id !== null && references.active.has(user_id) ? user_id : null;
};
const present = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value): value is T => value !== null))];

/** Comments of a ticket get different times in the order of the source, because read positions are times. */
export function distinctTimes(children: readonly ChildSummary[]): Map<string, string> {
  const times = new Map<string, string>();
  let last = 0;
  for (const { key, created_at } of children) {
    last = Math.max(Date.parse(created_at), last + 1);
    times.set(key, new Date(last).toISOString());
  }
  return times;
}

/** What a ticket's row stores of its comments, which are in their order. */
export function commentFigures(comments: readonly ChildSummary[], times: ReadonlyMap<string, string>) {
  const shown = comments.filter(({ is_internal }) => is_internal !== true);
  const replies = shown.filter(({ author }) => author !== 'customer');
  const timeOf = (comment: ChildSummary | undefined) => (comment ? times.get(comment.key)! : null);
  return {
    comment_count: comments.length,
    public_reply_count: replies.length,
    last_comment_at: timeOf(comments.at(-1)),
    customer_replied_last: shown.at(-1)?.author === 'customer',
    first_reply_at: timeOf(replies[0]),
  };
}

export interface Period {
  opened_at: string;
  is_reopened: boolean;
  resolved_at: string;
}

/** The periods in which it was open, in their order. Only the last one can be without an end, exactly if the ticket is open. */
export function periodsOf(ticket: TicketRecord, resolved_at: string | null): Period[] {
  const end = isResolvedOrClosed(ticket.status) ? (resolved_at ?? ticket.updated_at) : 'infinity';
  const given = (ticket.open_periods ?? [])
    .toSorted((a, b) => (a.opened_at < b.opened_at ? -1 : 1))
    .filter(({ opened_at }, i, all) => opened_at !== all[i - 1]?.opened_at);
  if (given.length === 0) return [{ opened_at: ticket.created_at, is_reopened: false, resolved_at: end }];
  return given.map(({ opened_at, resolved_at: until, is_reopened }, i) => {
    const isLast = i === given.length - 1;
    const last = end === 'infinity' ? end : (until ?? end);
    return { opened_at, is_reopened, resolved_at: isLast ? last : (until ?? given[i + 1]!.opened_at) };
  });
}

export const ticketColumns = {
  organization_id: 'uuid', id: 'uuid', ticket_number: 'text', external_id: 'text', subject: 'text', description: 'text', status: 'text',
  priority: 'text', category: 'text', tags: 'text[]', channel: 'text', customer_name: 'text', customer_email: 'text', customer_verified: 'boolean',
  language: 'text', cc: 'text[]', assigned_to: 'uuid', watchers: 'uuid[]', follow_up_of_id: 'uuid', comment_count: 'integer',
  public_reply_count: 'integer', reopen_count: 'integer', last_comment_at: 'timestamptz', customer_replied_last: 'boolean',
  first_response_at: 'timestamptz', first_response_time_hours: 'float8', resolution_time_hours: 'float8', sla_breached_at: 'timestamptz',
  escalated_at: 'timestamptz', snoozed_at: 'timestamptz', snoozed_until: 'timestamptz', custom_fields: 'jsonb', imported_at: 'timestamptz',
  anonymized_at: 'timestamptz',
  created_at: 'timestamptz', updated_at: 'timestamptz', resolved_at: 'timestamptz',
} as const satisfies Partial<Record<keyof Ticket, string>>; // prettier-ignore

export interface NewRow {
  organization_id: string;
  id: string;
  ticket_number: string;
  external_id: string | null;
  customer_name: string | null;
  now: string;
}

export function ticketRow(record: TicketRecord, given: NewRow, figures: ReturnType<typeof commentFigures>, references: References) {
  const { first_reply_at, ...counted } = figures;
  const { at: anonymized_at = null, ...countedBefore } = record.anonymized ?? {};
  const isOver = isResolvedOrClosed(record.status);
  // Our own exports contain the times as they were stored: a ticket that was closed without being resolved has none.
  const isOwn = record.open_periods !== undefined;
  const resolved_at = isOver ? (record.resolved_at ?? (isOwn ? null : record.updated_at)) : null;
  const isSnoozed = !isOver && !!record.snoozed_at && (!record.snoozed_until || record.snoozed_until > given.now);
  const { now: imported_at, customer_name, ...row } = given;
  return {
    ...row,
    subject: record.subject,
    description: record.description,
    status: record.status,
    priority: record.priority,
    category: record.category,
    tags: record.tags,
    channel: record.channel,
    customer_name: record.customer.name ?? customer_name,
    customer_email: record.customer.email,
    customer_verified: record.customer_verified ?? false,
    language: record.language,
    cc: record.cc,
    assigned_to: activeUser(record.assignee, references),
    watchers: present((record.watchers ?? []).map((key) => activeUser(key, references))).slice(0, 50),
    follow_up_of_id: (record.follow_up_of && references.tickets.get(record.follow_up_of)) || null,
    ...counted,
    ...countedBefore,
    reopen_count: (record.open_periods ?? []).filter(({ is_reopened }) => is_reopened).length,
    first_response_at: record.first_response_at === undefined ? first_reply_at : record.first_response_at,
    first_response_time_hours: positive(record.first_response_time_hours),
    resolution_time_hours: isOver ? positive(record.resolution_time_hours) : null,
    sla_breached_at: record.sla_breached_at ?? null,
    escalated_at: record.escalated_at ?? null,
    snoozed_at: isSnoozed ? record.snoozed_at : null,
    snoozed_until: isSnoozed ? (record.snoozed_until ?? null) : null,
    custom_fields: record.custom_fields,
    imported_at,
    anonymized_at,
    created_at: record.created_at,
    updated_at: record.updated_at,
    resolved_at,
  };
}
const positive = (hours: number | null | undefined): number | null => (hours !== null && hours !== undefined && hours >= 0 ? hours : null);

export const commentColumns = {
  organization_id: 'uuid', id: 'uuid', ticket_id: 'uuid', content: 'text', is_internal: 'boolean', is_from_customer: 'boolean', user_id: 'uuid',
  customer_email: 'text', mentions: 'uuid[]', merged_from_id: 'uuid', email_proof: 'jsonb', tool_author: 'jsonb', imported_author: 'jsonb',
  token: 'jsonb', rule: 'jsonb', created_at: 'timestamptz',
} as const; // prettier-ignore

/** `idOf` returns the id that replaces one of the source, which never comes into our tables. */
export type IdOf = (what: string, key: string) => string;

export function commentRow(
  record: CommentRecord,
  given: { organization_id: string; id: string; ticket_id: string; customer_email: string; created_at: string },
  references: References,
  idOf: IdOf,
) {
  const { customer_email, ...row } = given;
  const isCustomer = record.author.kind === 'customer';
  const user_id = record.author.kind === 'teammate' ? userOf(record.author.key, references) : null;
  const hasAuthor = isCustomer || user_id !== null || !!record.tool_author || !!record.token || !!record.rule;
  return {
    ...row,
    content: record.content,
    is_internal: record.is_internal,
    is_from_customer: isCustomer && !record.is_internal,
    user_id,
    customer_email: record.author.kind === 'customer' ? (record.author.email ?? customer_email) : null,
    mentions: present((record.mentions ?? []).map((key) => userOf(key, references))).slice(0, 20),
    merged_from_id: (record.merged_from && references.tickets.get(record.merged_from)) || null,
    email_proof: record.email_proof ?? null,
    tool_author: record.tool_author ?? null,
    imported_author: hasAuthor ? null : { name: nameOf(record, references) },
    token: record.token ? { ...record.token, id: idOf('token', record.token.id) } : null,
    rule: record.rule ? { ...record.rule, id: idOf('rule', record.rule.id) } : null,
  };
}

function nameOf({ author }: CommentRecord, { names }: References): string {
  const name = author.kind === 'other' ? author.name : author.kind === 'teammate' ? names.get(author.key) : undefined;
  return name?.trim().slice(0, 200).toWellFormed() || 'Unknown author';
}

export const activityColumns = {
  organization_id: 'uuid', id: 'uuid', ticket_id: 'uuid', kind: 'text', actor_type: 'text', user_id: 'uuid', token: 'jsonb', rule: 'jsonb',
  changes: 'jsonb', created_at: 'timestamptz',
} as const; // prettier-ignore

/** The entry that every imported ticket has. */
export const importedActivity = (
  row: { organization_id: string; id: string; ticket_id: string },
  user_id: string | null,
  source: ImportSource,
  { number, key, url }: Pick<TicketRecord, 'number' | 'key' | 'url'>,
  created_at: string,
) => ({
  ...row,
  kind: 'imported',
  actor_type: user_id === null ? 'system' : 'user',
  user_id,
  token: null,
  rule: null,
  // Keys of CSV files can be line numbers, and those of exports are no numbers.
  changes: { imported_from: { from: null, to: { source, number: number ?? (source === 'csv' || source === 'tandem' ? null : key), url } } },
  created_at,
});

/** A timeline entry of our own export. An actor who is no member here becomes the system. */
export function activityRow(
  record: HistoryRecord,
  row: { organization_id: string; id: string; ticket_id: string; created_at: string },
  references: References,
  idOf: IdOf,
) {
  const user_id = record.actor_type === 'user' ? userOf(record.teammate, references) : null;
  const token = record.actor_type === 'token' && record.token ? { ...record.token, id: idOf('token', record.token.id) } : null;
  const isKnown = record.actor_type === 'user' ? user_id !== null : record.actor_type !== 'token' || token !== null;
  return {
    ...row,
    kind: record.kind,
    actor_type: isKnown ? record.actor_type : 'system',
    user_id,
    token,
    rule: record.rule ? { ...record.rule, id: idOf('rule', record.rule.id) } : null,
    changes: changesWithOwnIds(record.changes, references),
  };
}

const userFields = new Set(['assigned_to', 'drafted_for']);
const ticketFields = new Set(['merged', 'merged_into', 'merged_into_id']);

function changesWithOwnIds(changes: HistoryRecord['changes'], references: References): HistoryRecord['changes'] {
  const mapped = (field: string, value: unknown): unknown => {
    if (userFields.has(field)) return typeof value === 'string' ? userOf(value, references) : null;
    if (!ticketFields.has(field) || typeof value !== 'object' || value === null) return value;
    const { id, ...rest } = value as { id?: unknown };
    const own = typeof id === 'string' ? references.tickets.get(id) : undefined;
    return own === undefined ? rest : { id: own, ...rest };
  };
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: mapped(field, from), to: mapped(field, to) }]),
  );
}
