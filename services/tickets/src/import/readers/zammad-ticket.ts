import type { CommentRecord, FileRecord, TicketChannel, TicketPriority, TicketRecord, TicketStatus } from '@tandem/contracts';
import type { ImportInput, SourceItem, SourcePlace } from '../import-reader';
import { addressesOf, mapCustomFields, mapPriority, mapStatus } from './api-values';
import type { OncePerImport } from './source-items';
import { htmlToMarkdown, htmlToText } from './html-markdown';
import type { State, Ticket, TicketArticle } from './zammad-schemas';
import { fullName, type Person } from './zammad-users';

/** A ticket of Zammad with everything that other requests return about it. */
export interface ZammadTicket {
  ticket: Ticket;
  articles: readonly TicketArticle[];
  tags: readonly string[];
  /** The ticket into which it was merged. */
  mergedInto: number | null;
  /** The users that the ticket and its articles refer to. */
  people: ReadonlyMap<number, Person>;
}

export interface ZammadContext {
  input: ImportInput;
  /** The address, without a slash at the end. */
  base: string;
  states: ReadonlyMap<number, State>;
  priorities: ReadonlyMap<number, string>;
  once: OncePerImport;
}

/** By the name of the state's type (https://admin-docs.zammad.org/en/latest/system/objects.html#ticket-state-reference). */
const statusByType: Readonly<Record<string, TicketStatus>> = {
  new: 'open',
  open: 'open',
  'pending reminder': 'waiting_for_customer',
  'pending action': 'waiting_for_customer',
  closed: 'closed',
  merged: 'closed',
  removed: 'closed',
};
/** The ids of the types in a new installation, for versions that do not send the name. */
const typeById = ['', 'new', 'open', 'pending reminder', 'pending action', 'closed', 'merged', 'removed'];

export const typeOf = ({ state_type, state_type_id }: State): string => state_type ?? typeById[state_type_id ?? 0] ?? '';

const channels: Readonly<Record<string, TicketChannel>> = { email: 'email', web: 'portal', chat: 'widget', phone: 'staff', note: 'staff' };

/** The attributes of a ticket in a new installation, with those that `expand=true` adds. All others are custom attributes. */
const ownAttributes = new Set(
  `id group_id priority_id state_id organization_id number title owner_id customer_id note first_response_at first_response_escalation_at
  first_response_in_min first_response_diff_in_min close_at close_escalation_at close_in_min close_diff_in_min update_escalation_at update_in_min
  update_diff_in_min last_close_at last_contact_at last_contact_agent_at last_contact_customer_at last_owner_update_at create_article_type_id
  create_article_sender_id article_count escalation_at pending_time type time_unit preferences updated_by_id created_by_id created_at updated_at
  article_ids articles ticket_time_accounting_ids ticket_time_accounting group organization state priority owner customer created_by updated_by
  create_article_type create_article_sender checklist_id checklist referencing_checklist_ids referencing_checklist_item_ids
  referencing_checklist_items referencing_checklists mention_ids mentions shared_draft_id shared_draft flag_ids flags user_ids
  first_response_at last_close first_close ai_agent_running`.split(/\s+/),
);

export function ticketItems(source: ZammadTicket, context: ZammadContext): SourceItem[] {
  const { ticket, articles, people } = source;
  const key = String(ticket.id);
  const at: SourcePlace = { file: `/api/v1/ticket_articles/by_ticket/${key}`, line: null };
  const state = context.states.get(ticket.state_id);
  const name = ticket.state ?? state?.name ?? String(ticket.state_id);
  const status = mapStatus(name, statusByType[state ? typeOf(state) : ''] ?? 'open', context.input);
  const priority = priorityOf(ticket, context);
  const values = Object.fromEntries(Object.entries(ticket).filter(([field]) => !ownAttributes.has(field)));
  const custom = mapCustomFields(values, context.input, { ticket: key, at, once: context.once });
  const sorted = [...articles].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id);
  const description = sorted[0] && sorted[0].sender === 'Customer' && sorted[0].internal !== true ? sorted[0] : undefined;
  const record: TicketRecord = {
    ...ticketFields(source, description, context),
    status: status.to,
    priority: priority.to,
    custom_fields: custom.fields,
  };
  return [
    { type: 'record', record: { kind: 'ticket', data: record }, at },
    ...status.items,
    ...priority.items,
    ...custom.items,
    ...sorted.flatMap((article) =>
      articleItems(article, { ticket: key, isDescription: article === description, people, base: context.base, at }),
    ),
  ];
}

/** Names of priorities have a number for their order: `2 normal`. */
function priorityOf({ priority, priority_id }: Ticket, { input, priorities }: ZammadContext): { to: TicketPriority; items: SourceItem[] } {
  const name = priority ?? priorities.get(priority_id ?? 0);
  if (name === undefined) return { to: 'medium', items: [] };
  const word = name.replace(/^\d+\s+/, '').toLowerCase();
  if (word === 'low' || word === 'high' || word === 'urgent') return { to: word, items: [] };
  const number = Number(/^\d+/.exec(name)?.[0] ?? 2);
  return mapPriority(name, number >= 4 ? 'urgent' : 'medium', input);
}

function ticketFields(
  { ticket, articles, tags, mergedInto, people }: ZammadTicket,
  description: TicketArticle | undefined,
  { base }: ZammadContext,
): Omit<TicketRecord, 'status' | 'priority' | 'custom_fields'> {
  const customer = people.get(ticket.customer_id);
  const email = customer?.email ?? addressesOf(ticket.customer ?? '')[0] ?? '';
  const owner = people.get(ticket.owner_id ?? 0);
  return {
    key: String(ticket.id),
    number: ticket.number,
    subject: ticket.title?.trim() || `Ticket ${ticket.number}`,
    description: description ? bodyOf(description) || null : null,
    category: ticket.group ?? null,
    tags: [...tags],
    channel: channels[ticket.create_article_type ?? ''] ?? null,
    customer: { email, name: customer ? fullName(customer) : null },
    cc: [...new Set(articles.flatMap(({ cc }) => addressesOf(cc ?? '')))].filter((each) => each !== email.toLowerCase()),
    language: null,
    assignee: owner?.isStaff ? String(ticket.owner_id) : null,
    created_at: utc(ticket.created_at),
    updated_at: utc(ticket.updated_at),
    resolved_at: ticket.close_at ? utc(ticket.close_at) : null,
    url: `${base}/#ticket/zoom/${ticket.id}`,
    merged_into: mergedInto === null ? null : String(mergedInto),
  };
}

interface ArticleContext {
  ticket: string;
  isDescription: boolean;
  people: ReadonlyMap<number, Person>;
  base: string;
  at: SourcePlace;
}

function articleItems(article: TicketArticle, { ticket, isDescription, people, base, at }: ArticleContext): SourceItem[] {
  const key = String(article.id);
  const parent = { ticket, comment: isDescription ? null : key, article: null, entry: null, created_at: utc(article.created_at) };
  const files: FileRecord[] = filesOf(article).map(({ id, file_name, size }) => ({
    ...parent,
    key: String(id),
    file_name,
    size,
    url: `${base}/api/v1/ticket_attachment/${ticket}/${key}/${id}`,
  }));
  const items: SourceItem[] = files.map((data) => ({ type: 'record', record: { kind: 'file', data }, at }));
  const content = bodyOf(article);
  if (isDescription || (content === '' && files.length === 0)) return items;
  const data: CommentRecord = {
    key,
    ticket,
    author: authorOf(article, people),
    is_internal: article.internal === true,
    content,
    created_at: parent.created_at,
  };
  return [{ type: 'record', record: { kind: 'comment', data }, at }, ...items];
}

/** The person on whose behalf it was written, if an agent wrote a note of a call. */
export const authorIdOf = ({ origin_by_id, created_by_id }: TicketArticle): number | null => origin_by_id ?? created_by_id ?? null;

function authorOf(article: TicketArticle, people: ReadonlyMap<number, Person>): CommentRecord['author'] {
  const id = authorIdOf(article);
  const person = people.get(id ?? 0);
  const from = article.from ?? '';
  if (article.sender === 'Customer') {
    // Staff who enter what a customer said are not its author.
    const email = person && !person.isStaff ? person.email : (addressesOf(from)[0] ?? null);
    return { kind: 'customer', email };
  }
  if (article.sender === 'Agent' && person?.isStaff) return { kind: 'teammate', key: String(id) };
  const name =
    (person && fullName(person)) ??
    from
      .replace(/<[^>]*>/g, '')
      .replaceAll('"', '')
      .trim();
  return { kind: 'other', name: name || null };
}

/** A picture in the text, whose file is not in `attachments`. */
const picture = /<img\b[^>]*?\bsrc="[^"]*\/api\/v1\/ticket_attachment\/\d+\/\d+\/(\d+)[^"]*"[^>]*>/gi;

/** Markdown if staff wrote it, plain text if a customer did. */
function bodyOf({ body, content_type, sender }: TicketArticle): string {
  if (!body) return '';
  if (!/^text\/html/i.test(content_type ?? '')) return body;
  return (sender === 'Agent' ? htmlToMarkdown(body) : htmlToText(body)).trim();
}

/** Without the HTML original of an email, which is a second form of the text (`content-alternative`). */
function filesOf({ attachments, body, content_type }: TicketArticle): { id: number; file_name: string; size: number | null }[] {
  const listed = (attachments ?? [])
    .filter(({ preferences }) => preferences?.['content-alternative'] !== true)
    .map(({ id, filename, size }) => ({
      id,
      file_name: filename,
      size: size == null || size === '' ? null : Math.trunc(Number(size)) || 0,
    }));
  const isHtml = /^text\/html/i.test(content_type ?? '');
  const ids = isHtml ? [...(body ?? '').matchAll(picture)].map(([, id]) => Number(id)) : [];
  const pictures = [...new Set(ids)].filter((id) => !listed.some((each) => each.id === id));
  return [...listed, ...pictures.map((id) => ({ id, file_name: `image-${id}`, size: null }))];
}

const utc = (time: string): string => new Date(time).toISOString();
