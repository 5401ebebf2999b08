import {
  languages,
  type CommentRecord,
  type FileRecord,
  type TicketChannel,
  type TicketPriority,
  type TicketRecord,
  type TicketStatus,
} from '@tandem/contracts';
import type { ImportInput, SourceItem, SourcePlace } from '../import-reader';
import { addressesOf, mapCustomFields, mapPriority, mapStatus, subjectOf } from './api-values';
import type { OncePerImport } from './source-items';
import type { Attachment, Conversation, Message } from './chatwoot-schemas';
import { htmlToText } from './html-markdown';

/** A conversation of Chatwoot and its messages, as records. */

export interface ChatwootContext {
  input: ImportInput;
  /** The address, without a slash at the end. */
  base: string;
  account: number;
  /** The keys of the agents that the account still has. */
  agents: ReadonlySet<string>;
  once: OncePerImport;
}

/** Chatwoot has no closed and no merged conversations. A bot answers in `pending`; `snoozed` waits for the customer or for a time. */
const statuses: Readonly<Record<string, TicketStatus>> = { pending: 'open', snoozed: 'waiting_for_customer' };
const channels: Readonly<Record<string, TicketChannel>> = {
  'Channel::Email': 'email',
  'Channel::WebWidget': 'widget',
  'Channel::Api': 'api',
};
const storedTypes = new Set(['image', 'audio', 'video', 'file']);
const activity = 2;

export function conversationItems(conversation: Conversation, all: readonly Message[], context: ChatwootContext): SourceItem[] {
  const ticket = String(conversation.id);
  const at: SourcePlace = { file: `/api/v1/accounts/${context.account}/conversations/${ticket}/messages`, line: null };
  const messages = all
    .filter(({ message_type, content_attributes }) => message_type !== activity && content_attributes?.deleted !== true)
    .sort((a, b) => a.created_at - b.created_at || a.id - b.id);
  const description = messages[0] && isDescription(messages[0]) ? messages[0] : undefined;
  const status = mapStatus(conversation.status, statuses[conversation.status] ?? 'open', context.input);
  const priority: { to: TicketPriority; items: SourceItem[] } = conversation.priority
    ? mapPriority(conversation.priority, 'medium', context.input)
    : { to: 'medium', items: [] };
  const custom = mapCustomFields(conversation.custom_attributes ?? {}, context.input, { ticket, at, once: context.once });
  const record: TicketRecord = {
    ...ticketFields(conversation, messages, description, context),
    status: status.to,
    priority: priority.to,
    custom_fields: custom.fields,
  };
  return [
    { type: 'record', record: { kind: 'ticket', data: record }, at },
    ...status.items,
    ...priority.items,
    ...custom.items,
    ...messages.flatMap((message) => messageItems(message, { ticket, isDescription: message === description, at, context })),
  ];
}

/** The first message of the contact becomes the description of the ticket. */
const isDescription = ({ message_type, private: isPrivate }: Message): boolean => message_type === 0 && isPrivate !== true;

function ticketFields(
  conversation: Conversation,
  messages: readonly Message[],
  description: Message | undefined,
  { base, account, agents }: ChatwootContext,
): Omit<TicketRecord, 'status' | 'priority' | 'custom_fields'> {
  const { id, meta, labels } = conversation;
  const additional = conversation.additional_attributes ?? {};
  const created = conversation.created_at ?? messages[0]?.created_at ?? 0;
  const email = meta.sender?.email?.trim() ?? '';
  return {
    key: String(id),
    number: String(id),
    subject: subjectFor(conversation, messages),
    description: description ? textOf(description) || null : null,
    category: meta.team?.name ?? null,
    tags: labels ?? [],
    channel: channels[meta.channel ?? ''] ?? null,
    customer: { email, name: meta.sender?.name?.trim() || null },
    cc: ccOf(messages, email),
    language: languageOf(additional['conversation_language'] ?? additional['browser_language']),
    assignee: meta.assignee && agents.has(String(meta.assignee.id)) ? String(meta.assignee.id) : null,
    created_at: isoTime(created),
    updated_at: isoTime(Math.max(conversation.updated_at ?? 0, conversation.last_activity_at ?? 0, created)),
    resolved_at: null,
    url: `${base}/app/accounts/${account}/conversations/${id}`,
  };
}

/** Only conversations by email have a subject (`mail_subject`). */
function subjectFor({ id, additional_attributes }: Conversation, messages: readonly Message[]): string {
  const subject = additional_attributes?.['mail_subject'];
  if (typeof subject === 'string' && subject.trim() !== '') return subject.trim();
  const first = messages.find((message) => message.message_type === 0 && textOf(message) !== '') ?? messages[0];
  return (first && subjectOf(textOf(first))) || `Conversation ${id}`;
}

function ccOf(messages: readonly Message[], customer: string): string[] {
  const headers = messages.flatMap(({ content_attributes: each }) => [each?.email?.cc ?? [], each?.cc_emails ?? []].flat());
  const found = new Set(headers.flatMap(addressesOf));
  found.delete(customer.toLowerCase());
  return [...found];
}

/** Chatwoot's locales have an underscore: `pt_BR`. */
export function languageOf(locale: unknown): TicketRecord['language'] {
  if (typeof locale !== 'string') return null;
  const tag = locale.replace('_', '-').toLowerCase();
  return languages.find((each) => each.toLowerCase() === tag) ?? languages.find((each) => each === tag.split('-')[0]) ?? null;
}

/** The text as the sender wrote it: Markdown of an agent, plain text of a contact. An email can have HTML only. */
function textOf({ content, content_attributes }: Message): string {
  if (content?.trim()) return content;
  const { text_content, html_content } = content_attributes?.email ?? {};
  return text_content?.full ?? (html_content?.full ? htmlToText(html_content.full) : '');
}

interface MessageContext {
  ticket: string;
  isDescription: boolean;
  at: SourcePlace;
  context: ChatwootContext;
}

function messageItems(message: Message, { ticket, isDescription, at, context }: MessageContext): SourceItem[] {
  const key = String(message.id);
  const created_at = isoTime(message.created_at);
  const files = (message.attachments ?? []).flatMap((each) =>
    fileRecord(each, { ticket, comment: isDescription ? null : key, created_at }),
  );
  const items: SourceItem[] = files.map((data) => ({ type: 'record', record: { kind: 'file', data }, at }));
  const content = [textOf(message), ...(message.attachments ?? []).flatMap(describe)].filter((each) => each !== '').join('\n\n');
  // A message of files only: its comment is needed for them.
  if (isDescription || (content === '' && files.length === 0)) return items;
  const data: CommentRecord = {
    key,
    ticket,
    author: authorOf(message, context),
    is_internal: message.private === true,
    content,
    created_at,
  };
  return [{ type: 'record', record: { kind: 'comment', data }, at }, ...items];
}

/** A bot, a template and an agent who was deleted are others. */
function authorOf({ message_type, sender }: Message, { agents }: ChatwootContext): CommentRecord['author'] {
  if (message_type === 0) return { kind: 'customer', email: sender?.email ?? null };
  const key = sender?.type === 'user' || sender?.type == null ? String(sender?.id ?? '') : '';
  if (agents.has(key)) return { kind: 'teammate', key };
  return { kind: 'other', name: sender?.name ?? null };
}

function fileRecord(attachment: Attachment, parent: Pick<FileRecord, 'ticket' | 'comment' | 'created_at'>): FileRecord[] {
  const { id, data_url: url, file_size, file_type } = attachment;
  if (!url || !storedTypes.has(file_type ?? 'file')) return [];
  return [{ key: String(id), ...parent, article: null, file_name: fileNameOf(url, id), size: file_size ?? null, entry: null, url }];
}

/** A location, a person or a shared page, as text: it has no file. */
function describe({ data_url, file_type, fallback_title, coordinates_lat: lat, coordinates_long: long }: Attachment): string[] {
  if (storedTypes.has(file_type ?? 'file')) return [];
  const place = file_type === 'location' && lat != null && long != null ? `(${lat}, ${long})` : undefined;
  return [[fallback_title, place, data_url].filter(Boolean).join(' ')];
}

/** The last part of `data_url`: Chatwoot's attachments have no other name. */
function fileNameOf(url: string, id: number): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || `file-${id}`;
  } catch {
    return last;
  }
}

/** Seconds since 1970, possibly with a fraction. */
export const isoTime = (seconds: number): string => new Date(Math.round(seconds * 1_000)).toISOString();
